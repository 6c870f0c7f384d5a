//! The methods of a filter that its users call. They are inherent, of one name and one
//! meaning in every filter; those of the traits of the same names go another way in
//! filters that may reject a key.

use bouquet_core::Key;

/// What came of a batch that was inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BatchInserted {
    /// All of it, with so many keys that were definitely not present before.
    All { new: u64 },
    /// The key of this index was rejected: those before it were inserted, it and those
    /// after it were not.
    RejectedAt(usize),
}

/// The inherent methods of a filter.
pub trait Methods {
    /// `false`: the key was rejected. Whether it was new is not reported.
    fn insert<K: Key + ?Sized>(&mut self, key: &K) -> bool;

    fn contains<K: Key + ?Sized>(&self, key: &K) -> bool;

    fn insert_batch<K: Key>(&mut self, keys: &[K]) -> BatchInserted;

    fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]);

    /// Inserts a batch by the quickest way where nobody asks what was new: how many were
    /// accepted. What follows the first rejection is not given again.
    #[inline(always)]
    fn take_batch<K: Key>(&mut self, keys: &[K]) -> u64 {
        match self.insert_batch(keys) {
            BatchInserted::All { .. } => keys.len() as u64,
            BatchInserted::RejectedAt(index) => index as u64,
        }
    }
}

/// The methods of a filter that `takes_all` keys, that `may_reject` one, or that `tries`: it
/// rejects keys by methods of their own, and these are called. In brackets the way that is
/// quicker for batches, where there is one.
#[macro_export]
macro_rules! methods {
    ([$($generic:tt)*] $filter:ty, $kind:ident $(, $quicker:ident)?) => {
        impl<$($generic)*> $crate::Methods for $filter {
            #[inline(always)]
            fn insert<K: bouquet_core::Key + ?Sized>(&mut self, key: &K) -> bool {
                $crate::methods!(@one $kind $filter, self, key)
            }

            #[inline(always)]
            fn contains<K: bouquet_core::Key + ?Sized>(&self, key: &K) -> bool {
                <$filter>::contains(self, key)
            }

            #[inline(always)]
            fn insert_batch<K: bouquet_core::Key>(&mut self, keys: &[K]) -> $crate::BatchInserted {
                $crate::methods!(@batch $kind $filter, self, keys)
            }

            #[inline(always)]
            fn contains_batch<K: bouquet_core::Key>(&self, keys: &[K], found: &mut [bool]) {
                <$filter>::contains_batch(self, keys, found);
            }

            $($crate::methods!(@quicker $filter, $quicker);)?
        }
    };
    (@one takes_all $filter:ty, $this:expr, $key:expr) => {{
        <$filter>::insert($this, $key);
        true
    }};
    (@one may_reject $filter:ty, $this:expr, $key:expr) => {
        <$filter>::insert($this, $key).is_ok()
    };
    (@one tries $filter:ty, $this:expr, $key:expr) => {
        <$filter>::try_insert($this, $key).is_ok()
    };
    (@batch takes_all $filter:ty, $this:expr, $keys:expr) => {
        $crate::BatchInserted::All { new: <$filter>::insert_batch($this, $keys) as u64 }
    };
    (@batch may_reject $filter:ty, $this:expr, $keys:expr) => {
        $crate::methods!(@done <$filter>::insert_batch($this, $keys))
    };
    (@batch tries $filter:ty, $this:expr, $keys:expr) => {
        $crate::methods!(@done <$filter>::try_insert_batch($this, $keys))
    };
    (@done $done:expr) => {
        match $done {
            Ok(new) => $crate::BatchInserted::All { new: new as u64 },
            Err(rejected) => $crate::BatchInserted::RejectedAt(rejected.index),
        }
    };
    (@quicker $filter:ty, $method:ident) => {
        #[inline(always)]
        fn take_batch<K: bouquet_core::Key>(&mut self, keys: &[K]) -> u64 {
            <$filter>::$method(self, keys);
            keys.len() as u64
        }
    };
}

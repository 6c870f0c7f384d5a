//! Block operations on one key at a time on x86-64 processors without AVX2.
//!
//! Few processors need them, but on all they are part of `insert` and `contains`. Portable code
//! would make these too long to be inlined, and a call in its place would keep the values of the
//! caller's loop out of registers. So these are short loops of `asm!`, one word a turn.

#![allow(
    unsafe_code,
    reason = "a call in its place would take a tenth of the time of a query"
)]

use core::arch::asm;

use super::{Backend, Portable, SALTS, Single};

/// Tests the slot `probe` of a word of 64 bits, with `bts` in place of `bt` also sets it, and
/// moves on to the next slot.
macro_rules! word_64 {
    ($bt:literal $(, $store:literal)?) => {
        concat!(
            "mov {word}, [{block} + 8 * {turn} + 64]\n",
            $bt, " {word}, {probe}\n",
            "sbb {missing:e}, 0\n",
            $($store, " [{block} + 8 * {turn} + 64], {word}\n",)?
            "shr {probe}, 6\n",
        )
    };
}

/// The same with a word of 32 bits.
macro_rules! word_32 {
    ($bt:literal $(, $store:literal)?) => {
        concat!(
            "mov {word:e}, [{block} + 4 * {turn} + 32]\n",
            $bt, " {word:e}, {probe:e}\n",
            "sbb {missing:e}, 0\n",
            $($store, " [{block} + 4 * {turn} + 32], {word:e}\n",)?
            "shr {probe}, 5\n",
        )
    };
}

/// Makes the slot of a word of 32 bits as [`salted`](super::salted) does.
macro_rules! salt {
    () => {
        "mov {probe:e}, [{salts} + 4 * {turn} + 32]
        imul {probe:e}, {hash:e}
        shr {probe:e}, 27"
    };
}

/// Runs these instructions for each of the eight words of a block, and counts those whose slot is
/// clear.
macro_rules! run {
    (
        $block:ident, probe = $probe:expr $(, $name:ident = $value:expr)*;
        $($lines:expr),*; $($options:ident),*
    ) => {{
        let missing: u32;
        asm!(
            "mov {turn}, -8",
            "mov {missing:e}, 8",
            "2:",
            $($lines,)*
            "inc {turn}",
            "jnz 2b",
            block = in(reg) $block,
            probe = inout(reg) $probe => _,
            $($name = in(reg) $value,)*
            turn = out(reg) _,
            word = out(reg) _,
            missing = out(reg) missing,
            options($($options,)* nostack),
        );
        missing
    }};
}

impl Backend for Single<Portable> {
    #[inline(always)]
    fn holds_64(self, block: &[u64; 8], probe: u64) -> bool {
        if cfg!(miri) {
            return self.0.holds_64(block, probe);
        }
        // SAFETY: reads the block.
        0 == unsafe { run!(block, probe = probe; word_64!("bt"); pure, readonly) }
    }

    #[inline(always)]
    fn take_64(self, block: &mut [u64; 8], probe: u64) -> bool {
        if cfg!(miri) {
            return self.0.take_64(block, probe);
        }
        // SAFETY: reads and writes the block, of which `block` is the only reference.
        0 != unsafe { run!(block, probe = probe; word_64!("bts", "mov");) }
    }

    #[inline(always)]
    fn holds_32(self, block: &[u64; 4], probe: u64) -> bool {
        if cfg!(miri) {
            return self.0.holds_32(block, probe);
        }
        // SAFETY: as in `holds_64`.
        0 == unsafe { run!(block, probe = probe; word_32!("bt"); pure, readonly) }
    }

    #[inline(always)]
    fn take_32(self, block: &mut [u64; 4], probe: u64) -> bool {
        if cfg!(miri) {
            return self.0.take_32(block, probe);
        }
        // SAFETY: as in `take_64`.
        0 != unsafe { run!(block, probe = probe; word_32!("bts", "mov");) }
    }

    #[inline(always)]
    fn holds_salted(self, block: &[u64; 4], hash: u32) -> bool {
        if cfg!(miri) {
            return self.0.holds_salted(block, hash);
        }
        // SAFETY: as in `holds_64`, and reads the salts.
        0 == unsafe {
            run!(
                block, probe = 0u64, hash = hash, salts = &SALTS;
                salt!(), word_32!("bt");
                pure, readonly
            )
        }
    }

    #[inline(always)]
    fn take_salted(self, block: &mut [u64; 4], hash: u32) -> bool {
        if cfg!(miri) {
            return self.0.take_salted(block, hash);
        }
        // SAFETY: as in `take_64`, and reads the salts.
        0 != unsafe {
            run!(
                block, probe = 0u64, hash = hash, salts = &SALTS;
                salt!(), word_32!("bts", "mov");
            )
        }
    }
}

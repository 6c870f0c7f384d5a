macro_rules! faults {
    ($(#[$meta:meta])* $name:ident { $(#[doc = $doc:literal] $fault:ident,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            /// No fault: every law holds.
            None,
            $(#[doc = $doc] $fault,)+
        }

        impl $name {
            /// Every fault, without [`None`](Self::None).
            pub const ALL: &[Self] = &[$(Self::$fault),+];
        }
    };
}

faults! {
    /// What is wrong with a [`Toy`](super::Toy).
    Fault {
        /// Every thousandth insert does nothing.
        ForgetsEveryThousandth,
        /// Inserting the empty key does nothing.
        ForgetsEmptyKey,
        /// `insert` sets one slot less than `contains` tests.
        InsertsOneLess,
        /// `insert` always reports the key as new.
        AlwaysNew,
        /// `insert` calls `contains` after setting the slots.
        AsksTooLate,
        /// Inserting a member again sets one more slot.
        RepeatsSpill,
        /// A batch of more than one key leaves its last one out.
        BatchInsertSkipsLast,
        /// A batch ends at the first key that is present already.
        BatchStopsAtHeld,
        /// A batch takes only its first 64 keys.
        BatchInsertStops,
        /// A new filter has one slot set.
        StartsDirty,
        /// `contains_batch` does not write the last answer.
        BatchContainsSkipsLast,
        /// `contains_batch` answers only for its first 64 keys.
        BatchContainsStops,
        /// A batch counts every key as new.
        BatchCountsAll,
        /// `contains_hash` swaps the two words of the hash.
        HashApiDiffers,
        /// Zero bytes at the end of a key do not count.
        IgnoresTrailingZeros,
        /// The inherent `insert` takes the bytes in reverse, as big-endian code does.
        TypedKeysReversed,
        /// The inherent `insert` takes the first 128 bytes of a key.
        TypedKeysCutShort,
        /// The inherent `insert_batch` leaves its last key out.
        TypedBatchSkipsLast,
        /// The inherent `contains_batch` does not write the last answer.
        TypedBatchAnswersLess,
        /// `try_insert_hash_batch` leaves its last key out.
        HashBatchSkipsLast,
        /// `contains_hash_batch` does not write the last answer.
        HashBatchAnswersLess,
        /// Of the bytes past the 128th only their number counts.
        IgnoresLateBytes,
        /// A batch of a filter larger than caches stops at its first 1,000 keys.
        FarBatchStops,
        /// Hashes do not depend on the seed.
        IgnoresSeed,
        /// Hashes depend on the instance.
        SaltsInstances,
        /// Where a key goes depends on how many came before.
        OrderDependent,
        /// `==` compares only the slots.
        EqualityIgnoresSeed,
        /// `==` compares only geometry and seed.
        EqualityIgnoresContent,
        /// A clone shares the slots of its original.
        CloneShares,
        /// A clone lacks the last slot.
        CloneDropsLast,
        /// `extend` drops the first key.
        ExtendSkipsFirst,
        /// `clear` leaves the last slot.
        ClearLeavesLast,
        /// Having rejected a key it never grows again, cleared or with a higher limit.
        StaysFull,
        /// It grows past its limit by a byte.
        GrowsPastLimit,
        /// What is there counts for the limit too.
        LimitsKeys,
        /// `Debug` prints every slot.
        DebugPrintsSlots,
        /// `union_with` keeps what both contain.
        UnionIsIntersection,
        /// `union_with` keeps the higher of two counters, not their sum.
        UnionTakesMax,
        /// `union_with` and `intersect_with` take filters of another size.
        CombinesOtherSizes,
        /// `union_with` and `intersect_with` compare `seed()`, not the hasher.
        CombinesBySeed,
        /// `union_with` and `intersect_with` take filters with another seed.
        CombinesOtherSeeds,
        /// `union_with` and `intersect_with` change a slot before they return an error.
        ChangesOnError,
        /// Filters with another seed are rejected for their number of hashes.
        NamesWrongParameter,
        /// `intersect_with` adds what the other contains.
        IntersectionIsUnion,
        /// `intersect_with` does nothing.
        IntersectionKeepsAll,
        /// Halving pairs slot i with the one half the slots away.
        FoldsHalves,
        /// Halving keeps every other slot.
        FoldDropsSlots,
        /// `fold_to` halves once.
        FoldsOnce,
        /// `fold_to` halves once too often.
        FoldsTooFar,
        /// A counter at its maximum wraps to 0.
        CountersWrap,
        /// A counter at its maximum is decremented, though its count is lost.
        CountersUnstick,
        /// `remove` returns and does nothing.
        RemoveDoesNothing,
        /// `remove` decrements every slot twice.
        RemovesTwice,
        /// `remove_hash` swaps the two words of the hash.
        RemoveHashDiffers,
        /// `remove` of an absent key decrements its slots.
        RemovesAbsent,
        /// A rejected key sets its first slot.
        ErrorChanges,
        /// A stopped batch names the key before the rejected one.
        BatchErrorIndexOff,
        /// Sized by the textbook formula, which misses the target.
        SizedByTextbook,
        /// `expected_fpr` is the textbook form, which is too low.
        ExpectsTextbook,
        /// `expected_fpr` is 4 % too high.
        ExpectsHigh,
        /// The last probe goes where the first went.
        ReusesOneProbe,
        /// `estimated_fpr` forgets one probe.
        EstimatesOneProbeLess,
        /// `estimated_fpr` is 3.7 % too high, as if distinct probes were independent.
        EstimatesFprHigh,
        /// `estimated_keys` forgets that keys share slots.
        EstimatesWithoutCollisions,
        /// `estimated_keys` is 1 % too high.
        EstimatesKeysHigh,
        /// `estimated_keys` reads the fill of the first half of the slots.
        EstimatesKeysFromHalf,
        /// The estimated count is the first counter of the key.
        CountsFirstProbe,
        /// The estimated count is the highest counter of the key.
        CountsHighest,
        /// The estimated count is 1 at most.
        CountsOnce,
        /// `is_over_capacity` becomes true at twice the target.
        OverCapacityLate,
        /// `keys_left` takes the filter for 1 % larger than it is.
        KeysLeftHigh,
        /// `keys_left` does not count the keys that are present.
        KeysLeftOfNew,
        /// `memory_bytes` counts only the value, not its slots.
        ForgetsMemory,
        /// The last location is one past the slots.
        LocatesOutOfRange,
        /// The geometry locates one probe less than it has.
        LocatesOneLess,
        /// `contains` tests one slot less than `insert` sets.
        TestsOneLess,
        /// `insert_shared` always reports the key as new.
        SharedAlwaysNew,
        /// While a thread inserts, `contains` is true.
        BusyIsPresent,
        /// A key may be new to two threads.
        NewToMany,
        /// A key is new to a thread only if no other one came meanwhile.
        NewOnlyIfAlone,
        /// Eight slots are read, changed and written as one, without a lock.
        TearsWords,
        /// A counter is read, changed and written without a lock.
        TearsCounters,
    }
}

faults! {
    /// What is wrong with how a [`CodecToy`](super::CodecToy) is written and read.
    CodecFault {
        /// The last slot is not written.
        DropsLastSlot,
        /// The header has the seed 0.
        ForgetsSeed,
        /// No two encodings are the same.
        SaltsEncodings,
        /// The header claims a longer payload than there is.
        SaysOtherLength,
        /// A hasher of any seed will do.
        TakesAnySeed,
        /// The checksum at the end is not compared.
        IgnoresChecksum,
        /// The checksums of headers are not compared.
        IgnoresHeaderChecksum,
        /// Bytes after the end are ignored.
        IgnoresRest,
        /// Parameters without a meaning are ignored.
        IgnoresParameters,
        /// A slot that is too high is taken as the maximum.
        ClampsSlots,
        /// Errors name a byte far away.
        PointsOutside,
        /// The view tests one slot less.
        ViewSkipsSlot,
        /// The view's statistics leave out the last slot.
        ViewCountsLess,
        /// The view is empty unless its bytes are aligned.
        ViewNeedsAlignment,
        /// Verifying through a view checks only the header.
        VerifiesHeaderAlone,
        /// Verifying through a view checks the checksum and not the slots.
        VerifiesChecksumAlone,
    }
}

faults! {
    /// What is wrong with a [`ToyHasher`](super::ToyHasher).
    HasherFault {
        /// `probe` is `place`.
        WordsEqual,
        /// `probe` is `place` times a constant.
        WordsMultiplied,
        /// `probe` is `place`, rotated.
        WordsRotated,
        /// Bit 17 of `place` is always 0.
        StuckBit,
        /// Only 32 bits of the hash are used.
        Narrow,
        /// Bytes after the sixteenth do not count.
        ShortSighted,
        /// The last byte is added after the mixing.
        MixesTooEarly,
        /// Two calls with one key differ.
        Stateful,
        /// The seed does not count.
        SeedIgnored,
        /// The seed does not count for the empty key.
        SeedIgnoredIfEmpty,
        /// `seed()` is 0.
        SeedNotReported,
        /// A stream mixes at every cut.
        CutsMatter,
        /// `finish` changes the next result of `finish`.
        FinishConsumes,
        /// `hash_parts` drops the last part.
        PartsDropLast,
        /// Zero bytes at the end of a key do not count.
        IgnoresTrailingZeros,
        /// `hash_batch` hashes all but a multiple of 32 keys with another seed.
        BatchEndsDiffer,
    }
}

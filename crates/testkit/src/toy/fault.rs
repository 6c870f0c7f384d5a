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
            /// Every fault except [`None`](Self::None).
            pub const ALL: &[Self] = &[$(Self::$fault),+];
        }
    };
}

faults! {
    /// The faults of a [`Toy`](super::Toy).
    Fault {
        /// Every thousandth insert does nothing.
        ForgetsEveryThousandth,
        /// Inserting the empty key does nothing.
        ForgetsEmptyKey,
        /// `insert` sets one slot fewer than `contains` tests.
        InsertsOneLess,
        /// `insert` always reports the key as new.
        AlwaysNew,
        /// `insert` calls `contains` after setting the slots, not before.
        AsksTooLate,
        /// Inserting a member again sets one more slot.
        RepeatsSpill,
        /// A batch of more than one key does not insert its last key.
        BatchInsertSkipsLast,
        /// A batch stops at the first key that is already present.
        BatchStopsAtHeld,
        /// A batch inserts only its first 64 keys.
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
        /// Zero bytes at the end of a key are ignored.
        IgnoresTrailingZeros,
        /// The inherent `insert` reverses the bytes of a key, as big-endian code does.
        TypedKeysReversed,
        /// The inherent `insert` uses only the first 128 bytes of a key.
        TypedKeysCutShort,
        /// The inherent `insert_batch` does not insert its last key.
        TypedBatchSkipsLast,
        /// The inherent `contains_batch` does not write the last answer.
        TypedBatchAnswersLess,
        /// `try_insert_hash_batch` does not insert its last key.
        HashBatchSkipsLast,
        /// `contains_hash_batch` does not write the last answer.
        HashBatchAnswersLess,
        /// Of the bytes after the 128th only their number affects the hash.
        IgnoresLateBytes,
        /// A batch in a filter larger than the caches stops after its first 1,000 keys.
        FarBatchStops,
        /// Hashes do not depend on the seed.
        IgnoresSeed,
        /// Hashes are different in each instance of the filter.
        SaltsInstances,
        /// The slots of a key depend on the number of earlier inserts.
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
        /// `clear` does not clear the last slot.
        ClearLeavesLast,
        /// After a rejected key it never grows again, even if cleared or with a higher limit.
        StaysFull,
        /// It grows to one byte more than its limit.
        GrowsPastLimit,
        /// With a limit of 0 bytes it rejects keys within its capacity.
        LimitsKeys,
        /// `Debug` prints every slot.
        DebugPrintsSlots,
        /// `union_with` keeps only what both filters contain.
        UnionIsIntersection,
        /// `union_with` keeps the higher of two counters, not their sum.
        UnionTakesMax,
        /// `union_with` and `intersect_with` accept filters of another size.
        CombinesOtherSizes,
        /// `union_with` and `intersect_with` compare only `seed()`, not the hashers.
        CombinesBySeed,
        /// `union_with` and `intersect_with` accept filters with another seed.
        CombinesOtherSeeds,
        /// `union_with` and `intersect_with` change a slot before they return an error.
        ChangesOnError,
        /// The error for filters with another seed names the number of hashes.
        NamesWrongParameter,
        /// `intersect_with` adds what the other filter contains.
        IntersectionIsUnion,
        /// `intersect_with` does nothing.
        IntersectionKeepsAll,
        /// Folding combines slot i with the slot that is half of the slots away.
        FoldsHalves,
        /// Folding keeps every other slot and drops the rest.
        FoldDropsSlots,
        /// `fold_to` folds only once.
        FoldsOnce,
        /// `fold_to` folds once too often.
        FoldsTooFar,
        /// A counter at its maximum wraps to 0.
        CountersWrap,
        /// A counter at its maximum is decremented, although its exact count is lost.
        CountersUnstick,
        /// `remove` does nothing.
        RemoveDoesNothing,
        /// `remove` decrements every slot twice.
        RemovesTwice,
        /// `remove_hash` swaps the two words of the hash.
        RemoveHashDiffers,
        /// `remove` of an absent key decrements its slots.
        RemovesAbsent,
        /// A rejected key sets its first slot.
        ErrorChanges,
        /// The error of a stopped batch names the key before the rejected one.
        BatchErrorIndexOff,
        /// It is sized by the textbook formula, which misses the target.
        SizedByTextbook,
        /// `expected_fpr` uses the textbook formula, which is too low.
        ExpectsTextbook,
        /// `expected_fpr` is 4 % too high.
        ExpectsHigh,
        /// The last probe tests the same slot as the first.
        ReusesOneProbe,
        /// `estimated_fpr` is computed with one probe too few.
        EstimatesOneProbeLess,
        /// `estimated_fpr` is 3.7 % too high, as if distinct probes were independent.
        EstimatesFprHigh,
        /// `estimated_keys` ignores that keys share slots.
        EstimatesWithoutCollisions,
        /// `estimated_keys` is 1 % too high.
        EstimatesKeysHigh,
        /// `estimated_keys` uses the fill ratio of the first half of the slots.
        EstimatesKeysFromHalf,
        /// The estimated count is the counter of the key's first probe.
        CountsFirstProbe,
        /// The estimated count is the highest of the key's counters.
        CountsHighest,
        /// The estimated count is never above 1.
        CountsOnce,
        /// `is_over_capacity` returns `true` only above twice the target.
        OverCapacityLate,
        /// `keys_left` computes with a capacity that is 1 % too high.
        KeysLeftHigh,
        /// `keys_left` ignores the keys that are present.
        KeysLeftOfNew,
        /// `memory_bytes` counts only the value itself, not its slots.
        ForgetsMemory,
        /// The last location is one past the last slot.
        LocatesOutOfRange,
        /// The geometry locates one probe fewer than it states.
        LocatesOneLess,
        /// `contains` tests one slot fewer than `insert` sets.
        TestsOneLess,
        /// `insert_shared` always reports the key as new.
        SharedAlwaysNew,
        /// `contains` returns `true` while a thread inserts.
        BusyIsPresent,
        /// A key may be reported as new to two threads.
        NewToMany,
        /// A key is reported as new only if no other thread inserted meanwhile.
        NewOnlyIfAlone,
        /// Groups of eight slots are read, changed and written without a lock.
        TearsWords,
        /// Counters are read, changed and written without a lock.
        TearsCounters,
    }
}

faults! {
    /// The faults in how a [`CodecToy`](super::CodecToy) is encoded and decoded.
    CodecFault {
        /// The last slot is not written.
        DropsLastSlot,
        /// The header always contains the seed 0.
        ForgetsSeed,
        /// Encoding the same filter twice gives different bytes.
        SaltsEncodings,
        /// The header claims a longer payload than there is.
        SaysOtherLength,
        /// Decoding accepts a hasher with any seed.
        TakesAnySeed,
        /// The checksum at the end is not checked.
        IgnoresChecksum,
        /// The checksums of the headers are not checked.
        IgnoresHeaderChecksum,
        /// Trailing bytes are ignored.
        IgnoresRest,
        /// Unused parameters in the header are ignored.
        IgnoresParameters,
        /// A slot above the maximum is decoded as the maximum.
        ClampsSlots,
        /// Errors name a byte outside the input.
        PointsOutside,
        /// The view tests one slot fewer.
        ViewSkipsSlot,
        /// The view's statistics leave out the last slot.
        ViewCountsLess,
        /// The view is empty unless its bytes are aligned.
        ViewNeedsAlignment,
        /// Verifying through a view checks only the header.
        VerifiesHeaderAlone,
        /// Verifying through a view checks the checksum but not the slots.
        VerifiesChecksumAlone,
    }
}

faults! {
    /// The faults of a [`ToyHasher`](super::ToyHasher).
    HasherFault {
        /// `probe` is equal to `place`.
        WordsEqual,
        /// `probe` is `place` times a constant.
        WordsMultiplied,
        /// `probe` is `place` rotated by some bits.
        WordsRotated,
        /// Bit 17 of `place` is always 0.
        StuckBit,
        /// Only 32 bits of the hash are used.
        Narrow,
        /// Bytes after the sixteenth do not affect the hash.
        ShortSighted,
        /// The last byte is added after the final mixing.
        MixesTooEarly,
        /// Two calls with the same key give different hashes.
        Stateful,
        /// The seed does not affect the hash.
        SeedIgnored,
        /// The seed does not affect the hash of the empty key.
        SeedIgnoredIfEmpty,
        /// `seed()` always returns 0.
        SeedNotReported,
        /// A stream mixes its state at every split.
        CutsMatter,
        /// Calling `finish` changes the result of the next `finish`.
        FinishConsumes,
        /// `hash_parts` ignores the last part.
        PartsDropLast,
        /// Zero bytes at the end of a key are ignored.
        IgnoresTrailingZeros,
        /// `hash_batch` hashes the keys after the last multiple of 32 with another seed.
        BatchEndsDiffer,
    }
}

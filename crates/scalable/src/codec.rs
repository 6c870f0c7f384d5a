//! Encoding of the filter; its parameters in the header are those of its policy, its parts are
//! the stages from the oldest to the newest, and the only part of a stage is its filter.

use alloc::vec::Vec;

use bouquet_core::Inner;
use bouquet_format::{
    Decode, DecodeError, Encode, HEADER_BYTES, Header, LINE_BYTES, Reader, Stopped, Writer, variant,
};

use crate::{Policy, ScalableBloom, Stage, stage::is_plausible};

/// The smallest size of a stage in bytes: two headers and a line.
const LEAST: u64 = 2 * HEADER_BYTES + LINE_BYTES;

impl Policy {
    /// The parameters: growth, tightening, largest number of stages (0 if there is no cap),
    /// largest number of bytes, and whether that number is a cap.
    fn to_parameters(self) -> [u64; 5] {
        [
            self.growth.into(),
            self.tightening.to_bits(),
            self.max_stages.unwrap_or(0).into(),
            self.max_bytes.unwrap_or(0),
            self.max_bytes.is_some().into(),
        ]
    }

    pub(crate) fn from_header(header: &Header) -> Result<Self, DecodeError> {
        let [_, tightening, _, max_bytes, capped] = header.parameters();
        let growth = header.parameter_u32(0, "growth")?;
        let max_stages = header.parameter_u32(2, "max_stages")?;
        let mut policy = Self::new(header.spec())
            .growth(growth)
            .map_err(|_| header.invalid_parameter(0, "growth", "must be 1 to 1024"))?
            .tightening(f64::from_bits(tightening))
            .map_err(|_| {
                header.invalid_parameter(1, "tightening", "must be above 0 and at most 0.99")
            })?;
        if max_stages > 0 {
            let capped = policy.max_stages(max_stages);
            policy = capped
                .map_err(|_| header.invalid_parameter(2, "max_stages", "must be at least 1"))?;
        }
        match (capped, max_bytes) {
            (0, 0) => Ok(policy),
            (0, _) => Err(header.invalid_parameter(3, "max_bytes", "must be 0 without a cap")),
            (1, max_bytes) => Ok(policy.max_bytes(max_bytes)),
            _ => Err(header.invalid_parameter(4, "the cap on bytes", "must be 0 or 1")),
        }
    }
}

/// The number of stages that a header states.
pub(crate) fn stages_of(header: &Header) -> Result<usize, DecodeError> {
    header.expect_variant(variant::SCALABLE)?;
    header.expect_no_keys()?;
    let stages = header.expect_parts(LEAST)?;
    usize::try_from(stages).map_err(|_| header.invalid_parts("is too large"))
}

/// Checks what is the same in the header of every stage.
pub(crate) fn check_stage(header: &Header) -> Result<(), DecodeError> {
    header.expect_variant(variant::STAGE)?;
    header.expect_parameters(0)?;
    if header.expect_parts(HEADER_BYTES + LINE_BYTES)? != 1 {
        return Err(header.invalid_parts("must be 1 in a stage"));
    }
    Ok(())
}

/// Checks that the capacity of a stage is plausible for the size of its filter.
pub(crate) fn check_capacity(stage: &Header, filter: &Header) -> Result<(), DecodeError> {
    let stored = filter.payload_bytes().saturating_mul(8);
    if is_plausible(stage.spec().capacity(), stored) {
        return Ok(());
    }
    Err(stage.invalid_capacity("must be at most 16 keys per bit of the stage"))
}

bouquet_format::inherent_bytes!([F: Inner + Encode] ScalableBloom<F>, by default ScalableBloom);
#[cfg(feature = "std")]
bouquet_format::inherent_files!(
    [F: Inner + Encode]
    [F: Inner + Decode<Hasher = <F as Inner>::Hasher>]
    ScalableBloom<F>, by default ScalableBloom
);
#[cfg(feature = "serde")]
bouquet_format::serde_traits!(
    [F: Inner + Encode]
    [F: Inner<Hasher: bouquet_core::SeededHasher> + Decode<Hasher = <F as Inner>::Hasher>]
    ScalableBloom<F>
);

impl<F: Inner + Encode> Encode for ScalableBloom<F> {
    fn header(&self) -> Header {
        let policy = self.policy();
        let bytes = self.stages().map(|stage| stage.header().record_bytes());
        let bytes = bytes.fold(0, u64::saturating_add);
        Header::new(variant::SCALABLE, self.hasher(), policy.spec)
            .with_parameters(&policy.to_parameters())
            .with_parts(self.stages().count() as u64, bytes)
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        self.stages().try_for_each(|stage| out.part(stage))
    }
}

impl<F> Decode for ScalableBloom<F>
where
    F: Inner + Decode<Hasher = <F as Inner>::Hasher>,
{
    type Hasher = <F as Inner>::Hasher;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &<F as Inner>::Hasher,
    ) -> Result<Self, DecodeError> {
        let count = stages_of(header)?;
        let policy = Policy::from_header(header)?;
        let mut stages = Vec::new();
        let bytes = (count as u64).saturating_mul(size_of::<Stage<F>>() as u64);
        let reserved = stages.try_reserve_exact(count);
        reserved.map_err(|_| header.out_of_memory(bytes))?;
        payload.parts(header, |part, payload| {
            stages.push(Stage::from_record(part, payload, hasher)?);
            Ok(())
        })?;
        // All stages have the supplied hasher, and there is at least one stage.
        let filter = Self::from_stages(policy, stages);
        filter.map_err(|_| header.invalid_parts("must be at least 1, of one hasher"))
    }
}

/// Encodes a stage: its header, and its filter as its only part.
impl<F: Inner + Encode> Encode for Stage<F> {
    fn header(&self) -> Header {
        let filter = self.filter();
        Header::new(variant::STAGE, filter.hasher(), self.spec())
            .with_keys(self.keys())
            .with_parts(1, filter.header().record_bytes())
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        out.part(self.filter())
    }
}

impl<F> Decode for Stage<F>
where
    F: Inner + Decode<Hasher = <F as Inner>::Hasher>,
{
    type Hasher = <F as Inner>::Hasher;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &<F as Inner>::Hasher,
    ) -> Result<Self, DecodeError> {
        check_stage(header)?;
        let mut filter = None;
        payload.parts(header, |part, payload| {
            check_capacity(header, part)?;
            filter = Some(F::from_record(part, payload, hasher)?);
            Ok(())
        })?;
        let filter = filter.ok_or(header.invalid_parts("must be 1 in a stage"))?;
        Ok(Self::from_parts(filter, header.spec(), header.keys()))
    }
}

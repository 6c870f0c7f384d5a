//! What is known of other crates: a table of faults that a run must find where it
//! measures what they show under.

use anyhow::{Context, Result, ensure};

use crate::registry::{self, Entry};
use crate::workload::named;
use bouquet_ground::record::PeerFaultRow;

/// The table that the program brings along.
pub fn shipped() -> Result<Vec<PeerFaultRow>> {
    let text = include_str!("../../../../experiments/peers-expectations.csv");
    parse(text, &registry::filters()).context("experiments/peers-expectations.csv")
}

/// Fails if a line cannot be read, or is of a filter or release that is not measured.
fn parse(text: &str, filters: &[Entry]) -> Result<Vec<PeerFaultRow>> {
    let mut faults = Vec::new();
    for line in csv::Reader::from_reader(text.as_bytes()).into_deserialize() {
        let fault: PeerFaultRow = line?;
        check(&fault, filters).with_context(|| format!("the fault {:?}", fault.fault))?;
        faults.push(fault);
    }
    Ok(faults)
}

fn check(fault: &PeerFaultRow, filters: &[Entry]) -> Result<()> {
    let entry = named("filter", &fault.filter, filters, |entry| entry.name)?;
    ensure!(
        fault.release == entry.release,
        "it was seen in {}, and this program has {}: see whether it is still there",
        fault.release,
        entry.release
    );
    ensure!(
        fault.at_least > 0.0 && fault.at_least.is_finite(),
        "at_least is {}: give what the figure must come to, a positive number",
        fault.at_least
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::experiment::{Peers, Profile};
    use crate::plan::{PeerPlan, contenders};
    use crate::workload::Manifest;

    #[test]
    fn every_fault_is_looked_for_in_every_profile() {
        let definition = Peers::shipped().unwrap();
        let manifest = Manifest::find().unwrap();
        let load = |name: &String| Arc::new(manifest.load(name).unwrap());
        let sets: Vec<_> = definition.datasets.iter().map(load).collect();
        for profile in [Profile::Quick, Profile::Default, Profile::Full] {
            let plan = PeerPlan {
                definition: &definition,
                contenders: &contenders(&[]).unwrap(),
                sets: &sets,
                profile,
                seed: 1,
            };
            let faults = plan.faults(&plan.cells()).unwrap();
            assert_eq!(faults, shipped().unwrap(), "{profile:?}");
            assert!(faults.len() > 5);
        }
    }

    #[test]
    fn a_narrowed_run_looks_for_what_it_can_show() {
        let narrowed = |names: &[&str], capacity| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            let shipped = Peers::shipped().unwrap();
            let keys = Manifest::find().unwrap().load("sequential").unwrap();
            let plan = PeerPlan {
                definition: &shipped.narrowed(capacity, None).unwrap(),
                contenders: &contenders(&names).unwrap(),
                sets: &[keys.into()],
                profile: Profile::Quick,
                seed: 1,
            };
            let faults = plan.faults(&plan.cells()).unwrap().into_iter();
            faults.map(|fault| fault.filter).collect::<Vec<_>>()
        };
        assert!(narrowed(&["standard"], None).is_empty());
        assert!(narrowed(&[], Some(300)).is_empty());
        let mut found = narrowed(&["bloom2", "bloomfilter"], None);
        found.dedup();
        // In the order of the table.
        assert_eq!(found, ["bloomfilter", "bloom2"]);
    }

    #[test]
    fn wrong_lines_are_errors_that_say_why() {
        let error = |from: &str, to: &str| {
            let head = "filter,release,phase,capacity,seed_form,target_fpr,figure,at_least,fault,\
                        source\n";
            let line = "bloom2,bloom2 0.5.1,load,100,drawn,0.01,fpr,0.5,any probe,its source\n";
            let lines = format!("{head}{}", line.replacen(from, to, 1));
            match parse(&lines, &registry::filters()) {
                Ok(faults) => {
                    assert_eq!(faults.len(), 1);
                    String::new()
                }
                Err(error) => format!("{error:#}"),
            }
        };
        assert_eq!(error("", ""), "");
        let unknown = error("bloom2", "blom2");
        assert!(unknown.contains("any probe"), "{unknown}");
        assert!(
            unknown.contains("no filter is called \"blom2\""),
            "{unknown}"
        );
        assert!(error("0.5.1", "0.5.2").contains("this program has bloom2 0.5.1"));
        assert!(error("fpr", "fps").contains("fps"));
        assert!(error("drawn", "zeroes").contains("zeroes"));
        assert!(error("0.5,", "0,").contains("at_least is 0"));
        let no_number = error("100", "many");
        assert!(no_number.contains("line: 2"), "{no_number}");
    }
}

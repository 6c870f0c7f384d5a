//! `bouquet attack`: keys chosen by an adversary.

use anyhow::Result;

use crate::flags::{Judged, with};
use crate::study::{self, Kind, Plan, Study};
use bouquet_lab::attack::{self, Definition, Plans};
use bouquet_theory as theory;

const HELP: &str = "\
The adversary chooses keys and knows all of a filter but a secret key. Hash
functions: folded, xxh3 and xxh3-wide with a public seed, murmur3 without a seed
and with a secret one, the location schemes of other systems and of textbooks
that are not weak by themselves, and sip-keyed.

Attacks:
  pollution         keys whose probes all fall on empty slots, up to capacity
  forged-positives  non-members that pass for members
  collision         keys computed to have every location of a victim
  deletion          keys never inserted that pass are removed, until a victim is
                    absent

Outcome of a row: broken (the chosen keys do better than any, at a confidence of
1 - 1e-6), withstands, or budget-spent. Shares and costs have their 95 %
interval.

Exit code: 0 the keyed hash withstands; 1 it is broken, or an attack fails
against a public seed too, so that the run is invalid; 2 wrong usage; 3 with
--strict, if the trials ended before something was shown.

Examples:
  bouquet attack
  bouquet attack --quick --format md
  bouquet attack --seed 7 --out reports/attack";

const WORDS: &str = "\
quick: Smaller filters, for a first look
full: Larger filters and more keys
jobs: Threads; all cores if not given. The figures do not depend on it
format: How the table goes to standard output
strict: Exit with 3 if the trials ended before something was shown";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP, mut_args(with(WORDS)))]
#[command(mut_arg("out", |out| out.help(
    "A folder for the table and the records; a report already there is replaced"
)))]
pub struct Args {
    #[command(flatten)]
    pub flags: Judged,
    /// Keys that the attacker may hash for one row, in place of what the profile has.
    #[arg(long, value_name = "NUMBER", value_parser = theory::whole::<u64>)]
    trials: Option<u64>,
}

impl Kind for Args {
    type Work = Plans;

    fn plan(&self) -> Result<Plan<Plans>> {
        let definition = Definition::shipped()?;
        let profile = self.flags.effort.profile();
        let mut plans = definition.plans(profile);
        if let Some(trials) = self.trials {
            plans = plans.with_trials(trials);
        }
        let (name, title) = (&definition.name, &definition.title);
        let row = study::experiment(name, "attack", title, &definition.analysis);
        Ok(Plan {
            work: plans,
            profile: profile.name(),
            words: None,
            experiments: vec![row],
            field: None,
            facts: Vec::new(),
        })
    }

    fn measure(&self, plans: &Plans, study: &mut Study) -> Result<()> {
        let (seed, jobs) = (self.flags.run.seed, self.flags.jobs.count());
        attack::run(plans, seed, jobs, |row| study.rows.write(&[row]))
    }
}

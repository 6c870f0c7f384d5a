//! What `bouquet` says of itself: a short page, and the commands by what they are for.

use bouquet_render::{
    columns::Table,
    terminal::{Screen, table},
};
use clap::Command;

/// The commands by what they are for; what is not here is hidden.
pub const GROUPS: [(&str, &[&str]); 5] = [
    ("Evaluate", &["evaluate", "speed"]),
    ("Choose", &["recommend", "theory"]),
    ("Guard", &["gate", "compare", "report"]),
    ("Files", &["build", "check", "dedup", "inspect", "union"]),
    ("About", &["completions", "help"]),
];

const EXIT_CODES: &str = "Exit codes: 0 good; 1 a negative verdict (a check failed, a run is \
    invalid, a key was absent); 2 wrong usage, wrong input, or input and output failed; \
    3 inconclusive, with --strict; 130 interrupted.";

/// Below so many columns the help of an option stands below it.
const NARROW: usize = 40;

/// What `bouquet` alone prints.
pub const PAGE: &str = "\
bouquet evaluates Bloom filters: on real keys, against exact theory, beside the
crates that people use today.

  bouquet recommend --capacity 1e6 --fpr 0.01  which filter, with its code
  bouquet evaluate                             measure all, write a report
  bouquet gate --quick                         compare with a baseline, for CI
  bouquet build -o seen.bloom keys.txt         a filter of the lines of a file
  bouquet check seen.bloom keys.txt            which lines it may contain

`bouquet --help` lists all commands, `bouquet COMMAND --help` its options.
";

/// The help with the commands in their groups, in lines of at most so many characters.
pub fn grouped(command: Command, columns: usize) -> Command {
    let built = {
        let mut built = command.clone();
        built.build();
        built
    };
    let about = |name: &&str| {
        let found = built.find_subcommand(name).and_then(Command::get_about);
        found.map(ToString::to_string).unwrap_or_default()
    };
    let screen = Screen {
        width: Some(columns),
        ..Screen::default()
    };
    let mut list = String::new();
    for (heading, names) in GROUPS {
        let commands = Table::of(names)
            .column("", |name| format!("  {name:<12}"))
            .column("", about)
            .table();
        list += &format!("{heading}:\n{}\n", table(&commands, screen));
    }
    let codes = Table::of([EXIT_CODES]).column("", |codes| codes).table();
    let codes = table(&codes, screen);
    command
        .help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{{options}}\n\n{codes}"
        ))
        .term_width(columns)
        .next_line_help(columns < NARROW)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cmd::{Cli, program};

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let named: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        let mut command = program();
        command.build();
        let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
        let mut shown: Vec<&str> = shown.map(Command::get_name).collect();
        let mut sorted = named.clone();
        sorted.sort_unstable();
        shown.sort_unstable();
        assert_eq!(sorted, shown);
        let help = command.render_help().to_string();
        for name in named {
            let line = help
                .lines()
                .find(|line| line.trim_start().starts_with(name));
            assert!(line.is_some_and(|line| line.len() > 20), "{name}: {help}");
        }
    }

    /// The commands of the short page are such as the program takes.
    #[test]
    fn the_short_page_names_commands_that_parse() {
        let commands = PAGE.lines();
        let commands = commands.filter_map(|line| line.strip_prefix("  bouquet "));
        let mut count = 0;
        for line in commands {
            let words = line.split("  ").next().unwrap_or_default().split(' ');
            let words = std::iter::once("bouquet").chain(words);
            Cli::try_parse_from(words).unwrap();
            count += 1;
        }
        assert_eq!(count, 5);
    }
}

//! Settings for all output, from the command line and the environment.

use std::{
    env,
    io::{self, IsTerminal},
    sync::OnceLock,
};

use anstream::{AutoStream, ColorChoice as Colours};
use clap::ColorChoice;

use bouquet_render::terminal::Screen;

/// Options of every command.
#[derive(clap::Args, Clone, Copy, Default, Debug)]
pub struct Settings {
    /// Nothing on standard error but errors.
    #[arg(short, long, global = true, display_order = 199)]
    pub quiet: bool,
    /// Say more, as the details of an error.
    #[arg(short, long, global = true, display_order = 200)]
    pub verbose: bool,
    /// Colours; by default on a terminal that has them, as NO_COLOR, CLICOLOR_FORCE and TERM
    /// say.
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        global = true,
        display_order = 201
    )]
    pub color: ColorChoice,
    /// All columns of a table, however narrow the terminal: else sentences are set in several
    /// lines, then columns are left out from the right, those that matter most last.
    #[arg(long, global = true, display_order = 202)]
    pub wide: bool,
}

static GIVEN: OnceLock<Settings> = OnceLock::new();

impl Settings {
    /// Sets the settings for the rest of the run; later calls have no effect.
    pub fn keep(self) {
        let _ = GIVEN.set(self);
    }

    pub fn given() -> Self {
        GIVEN.get().copied().unwrap_or_default()
    }
}

/// The properties of standard output. Lines have no maximum width if it is not a terminal.
pub fn screen() -> Screen {
    let settings = Settings::given();
    Screen {
        colour: is_coloured(settings.color),
        width: width().filter(|_| !settings.wide),
    }
}

/// Whether standard output gets colours.
pub fn is_coloured(choice: ColorChoice) -> bool {
    let forced_by_none = env::var_os("CLICOLOR_FORCE").is_some_and(|value| value == "0");
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        // The library takes any value of CLICOLOR_FORCE as a request for colours, even 0.
        ColorChoice::Auto if forced_by_none && !io::stdout().is_terminal() => false,
        ColorChoice::Auto => AutoStream::choice(&io::stdout()) != Colours::Never,
    }
}

/// The width of the terminal if standard output is one; if the terminal does not report it, that in
/// the environment.
pub fn width() -> Option<usize> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let said = || env::var("COLUMNS").ok()?.parse().ok();
    let own = terminal_size::terminal_size().map(|(width, _)| width.0.into());
    own.or_else(said).filter(|width| *width > 0)
}

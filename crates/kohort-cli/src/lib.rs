//! The `kohort` command, for whatever runs it: the binary, and the script of the Python package.

use std::ffi::OsString;

use clap::{Parser, Subcommand};
use kohort::Error;

mod commands;
mod exit;
mod interrupt;
mod speech;
mod terminal;

/// Anonymize person-level tables: everyone hides among at least k, with proof attached.
#[derive(Parser)]
#[command(name = "kohort", version, about, max_term_width = 100, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done and verified · 1 the table does not meet what was asked (verify), or too few people can be told from all others (risk) · 2 wrong usage or bad input · 3 no release exists under these demands, or none was found · 4 our bug, nothing written · 130 stopped";

#[derive(Subcommand)]
enum Command {
    /// Look at a table and propose a job: what every column is, what it climbs, how many hide together; you edit and run it
    Init(commands::init::Args),
    /// Make a release: generalize a table until everyone hides among at least k, verify it, write it
    Anonymize(Box<commands::anonymize::Args>),
    /// Make the next release of a growing table, safe against comparing releases
    Append(Box<commands::append::Args>),
    /// What does this table achieve? Works on any tool's release
    Verify(Box<commands::verify::Args>),
    /// What do several releases of the same people give away together? Works on any tool's releases
    Risk(Box<commands::risk::Args>),
    /// Why is a release as coarse as it is, or one row of it, and what would change that? Private
    Explain(Box<commands::explain::Args>),
    /// How little could any release of this table lose? A certified lower bound
    Bound(Box<commands::bound::Args>),
    /// Build, check, show and convert generalization hierarchies
    Hierarchy(commands::hierarchy::Args),
    /// Make up a table to try things on
    Generate(commands::generate::Args),
    /// Look at the private record of a growing table, or repair it
    Ledger(commands::ledger::Args),
    /// Run the experiments of the papers behind the algorithms again, beside the published figures
    Reproduce(commands::reproduce::Args),
    /// All there is to choose from: algorithms, settings, models, notions, measures and made-up tables
    List(commands::list::Args),
    /// Print the script with which a shell completes commands, flags and their values
    Completions(commands::completions::Args),
    /// Print the manual page, or write those of all commands into a folder
    Man(commands::completions::ManArgs),
}

/// Runs the command with these words, its own name first, and returns the number it ends with. Takes over what happens at
/// Ctrl-C in the whole process.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(answer) => {
            // Nobody may be listening any more.
            let _ = answer.print();
            return u8::try_from(answer.exit_code()).unwrap_or(2);
        }
    };
    interrupt::listen();
    let done = match cli.command {
        Command::Init(args) => commands::init::run(&args),
        Command::Anonymize(args) => commands::anonymize::run(*args),
        Command::Append(args) => commands::append::run(*args),
        Command::Verify(args) => commands::verify::run(*args),
        Command::Risk(args) => commands::risk::run(*args),
        Command::Explain(args) => commands::explain::run(*args),
        Command::Bound(args) => commands::bound::run(*args),
        Command::Hierarchy(args) => commands::hierarchy::run(args),
        Command::Generate(args) => commands::generate::run(args),
        Command::Ledger(args) => commands::ledger::run(&args),
        Command::Reproduce(args) => commands::reproduce::run(&args),
        Command::List(args) => commands::list::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man(args) => commands::completions::man(&args),
    };
    done.map_or_else(
        |error| {
            terminal::tell(&format!("error: {}\n", error.spoken_by(&speech::CommandLine)));
            exit_code(&error)
        },
        exit::ExitCode::number,
    )
}

/// The exit codes of the manual.
fn exit_code(error: &Error) -> u8 {
    match error {
        Error::Violation(_) => 1,
        Error::Input(_) | Error::Job(_) => 2,
        Error::Unsolvable(_) => 3,
        Error::Internal(_) => 4,
        Error::Stopped(_) => 130,
    }
}

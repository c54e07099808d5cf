//! The `kohort` command.
use std::process::ExitCode;

use clap::Parser;

mod commands;

/// TEMPORARY: the lead's entry point replaces this.
#[derive(Parser)]
#[command(name = "kohort")]
enum Command {
    /// Build, check, show and convert hierarchies
    Hierarchy(commands::hierarchy::Args),
}

fn main() -> ExitCode {
    let Command::Hierarchy(args) = Command::parse();
    commands::hierarchy::run(args).unwrap_or_else(|e| {
        eprintln!("error: {e}");
        ExitCode::from(2)
    })
}

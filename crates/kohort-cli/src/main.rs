//! The `kohort` command.

mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use kohort::Error;

/// Anonymize person-level tables: every person hides among at least k, with proof attached.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a table up: the papers' synthetic ones, a census, a hospital.
    Generate(commands::generate::Args),
}

fn main() -> ExitCode {
    let Command::Generate(args) = Cli::parse().command;
    commands::generate::run(args).unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(if matches!(error, Error::Internal(_)) { 4 } else { 2 })
    })
}

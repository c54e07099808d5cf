# The same checks that CI runs, by name.

# everything that must pass before landing
test:
    ./test

fmt:
    cargo fmt --all

lint:
    cargo clippy --workspace --all-targets -- -D warnings

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

deny:
    scripts/deny

# write the figures of the documentation from bench/results
figures:
    scripts/figures

# links, flags and cited sections of the documentation
check-docs:
    scripts/figures --check
    scripts/check-docs

# accept changed snapshots after reading them
snapshots:
    INSTA_UPDATE=always cargo test -p kohort-cli

# the main job on made-up data
demo:
    ./demo

# the command as released, with line numbers for perf: target/profiling/kohort
profiling:
    cargo build --profile profiling -p kohort-cli

# time outside the solver, and memory, against a bare copy
bench-walk rows="3000000":
    cargo run --release -p kohort-bench --bin walk -- {{rows}}

# the walk in memory against the same job from file to file
bench-memory rows="1000000":
    cargo run --release -p kohort-bench --bin memory -- {{rows}}

# CPU time of a fresh build, and speed of the command, against a checkout of an earlier commit
bench-build before:
    bench/build {{before}}

# the published experiments of the five papers, on tables that are not part of the project: docs/reproduction.md and its result
reproduce adult="../shared/data/adult/adult.csv" cmc="../shared/data/cmc/cmc.csv":
    scripts/reproduce {{adult}} {{cmc}}

# damaged files for one reader: csv, parquet, arrow, hierarchy, job or release
fuzz target="parquet" seconds="600" seed="1":
    cargo run --release -p kohort-fuzz --bin fuzz -- {{target}} {{seconds}} {{seed}}

# random jobs, each release checked by code that does not use the library
campaign jobs="100000" seed="1":
    cargo run --release -p kohort-campaign --bin campaign -- --jobs {{jobs}} --seed {{seed}} --threads 2

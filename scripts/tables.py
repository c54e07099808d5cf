"""Tables of others, which ship inside packages: fetched for the checks that try Kohort on them. Nothing of it belongs into the project.

Which tables there are, and the role that every column should have, is in crates/kohort-cli/tests/init/labels.toml.
"""
import csv
import os
import pathlib
import subprocess
import tarfile
import tomllib
import venv
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LABELS = ROOT / "crates/kohort-cli/tests/init/labels.toml"
SHARED = pathlib.Path(os.environ.get("KOHORT_SHARED", ROOT.parent / "shared")) / "data"


def run(*command, **more):
    return subprocess.run(command, text=True, capture_output=True, **more)


def labelled():
    return tomllib.loads(LABELS.read_text())["table"]


def environment(folder, modules):
    """An interpreter with these packages; none where it cannot be made. `modules` maps packages to what is imported of them."""
    python = folder / "python/bin/python"
    if not python.exists():
        venv.create(folder / "python", with_pip=True)
    imports = "import " + ", ".join(modules.values())
    if run(python, "-c", imports).returncode:
        run(python, "-m", "pip", "install", "--quiet", *modules)
    return python if run(python, "-c", imports).returncode == 0 else None


def fetch(python, folder, package):
    """The archive of a package."""
    place = folder / "archives" / package
    if not place.exists():
        run(python, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(place), package)
    return next(iter(sorted(place.glob("*"))), None) if place.exists() else None


def member(archive, wanted):
    """The bytes of a file in an archive, or in an archive in it."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as inside:
            return inside.read(wanted)
    with tarfile.open(archive) as inside:
        for entry in inside:
            if entry.isfile() and entry.name.endswith("/" + wanted) and "/._" not in entry.name:
                return inside.extractfile(entry).read()
            if entry.name.endswith("resources.tar.gz"):
                with tarfile.open(fileobj=inside.extractfile(entry)) as deeper:
                    for found in deeper:
                        if found.isfile() and found.name.endswith("/" + wanted) and "/._" not in found.name:
                            return deeper.extractfile(found).read()
    return None


def without_row_names(raw):
    """R writes the names of rows into a first column that has none itself."""
    rows = list(csv.reader(raw.decode().splitlines()))
    if rows and rows[0][0] == "":
        rows = [row[1:] for row in rows]
    return rows


def prepare(folder, python):
    """Writes every table that can be had as CSV; returns their folder, and what was skipped with the reason."""
    tables, skipped = folder / "tables", {}
    tables.mkdir(parents=True, exist_ok=True)
    for table in labelled():
        place, origin = tables / f"{table['name']}.csv", table["from"]
        if "shared" in origin:
            source = SHARED / origin["shared"]
            if source.exists():
                place.write_bytes(source.read_bytes())
            else:
                skipped[table["name"]] = "not on this machine"
        elif "package" in origin and not place.exists():
            archive = fetch(python, folder, origin["package"]) if python else None
            raw = member(archive, origin["file"]) if archive else None
            if raw is None:
                skipped[table["name"]] = f"{origin['package']} could not be fetched"
                continue
            with open(place, "w", newline="") as out:
                csv.writer(out).writerows(without_row_names(raw))
    return tables, skipped

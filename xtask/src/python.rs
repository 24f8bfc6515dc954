//! `cargo xtask python`: builds the wheel of `crates/paigow-python`, installs it in a virtual environment, and runs its
//! tests.

use crate::failure::Failure;
use crate::page::run;
use crate::test::run_cargo;
use crate::tools::{Install, Tool, release_program, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Folder of the package.
const PACKAGE: &str = "crates/paigow-python";

const PYTHON: Tool = Tool {
    name: "Python",
    is_installed: has_python,
    packages: &["python3", "python3-venv"],
    remedy: "install Python 3.11 or newer with venv",
};

/// Builds the release program and runs all tests of the package, as its own task. `args` are arguments of pytest.
pub(crate) fn build_and_check(root: &Path, args: &[&str]) -> Result<(), Failure> {
    run_cargo(root, &["build", "--quiet", "--release", "--package", "paigow-cli"], &[])?;
    run_suite(root, &release_program(root), Install::Missing, args)
}

/// Runs the tests beside the program that the tests have built.
pub(crate) fn check(root: &Path, install: Install) -> Result<(), Failure> {
    run_suite(root, &target(root).join("debug").join("paigow"), install, &[])
}

fn run_suite(root: &Path, program: &Path, install: Install, args: &[&str]) -> Result<(), Failure> {
    PYTHON.ensure(install)?;
    if !program.is_file() {
        return Err(Failure::Missing {
            tool: "the program",
            remedy: "run `cargo test --workspace --no-run`",
        });
    }
    let package = root.join(PACKAGE);
    let folder = target(root).join("python");
    let python = environment(&package, &folder, install)?;

    // A wheel of an earlier build must not be installed.
    let wheels = folder.join("wheels");
    let _ = fs::remove_dir_all(&wheels);
    let maturin = folder.join("venv/bin/maturin");
    let mut build = Command::new(maturin);
    build.args(["build", "--release", "--locked", "--quiet", "--interpreter"]).arg(&python);
    build.arg("--out").arg(&wheels).arg("--target-dir").arg(target(root));
    run(&package, &mut build)?;
    for wheel in files(&wheels)? {
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--force-reinstall"]);
        run(&package, pip.arg(wheel))?;
    }

    let mut tests = Command::new(&python);
    tests.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "tests"]).args(args);
    tests.env("PAIGOW_PROGRAM", program).env("PAIGOW_CACHE", folder.join("cache"));
    run(&package, tests.env("PYTHONDONTWRITEBYTECODE", "1").env_remove("PYTHONPATH"))
}

/// Creates the virtual environment with the packages of the requirements, and returns its interpreter.
fn environment(package: &Path, folder: &Path, install: Install) -> Result<PathBuf, Failure> {
    let python = folder.join("venv/bin/python");
    let requirements = package.join("requirements.txt");
    let wanted = fs::read_to_string(&requirements)
        .map_err(|cause| Failure::Unreadable { path: requirements.clone(), cause })?;
    // Written last, so it stands for a complete environment.
    let installed = folder.join("installed.txt");
    if python.is_file() && fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(python);
    }
    if install == Install::Never {
        return Err(Failure::Missing {
            tool: "packages of the Python tests",
            remedy: "run `cargo xtask python` once",
        });
    }
    println!("Installing the packages of {PACKAGE}/requirements.txt in {}", folder.join("venv").display());
    let venv = folder.join("venv");
    run(package, Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv))?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    run(package, pip.arg(&requirements))?;
    fs::write(&installed, wanted).map_err(|cause| Failure::Unreadable { path: installed, cause })?;
    Ok(python)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |cause| Failure::Unreadable { path: folder.to_owned(), cause };
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(unreadable)).collect()
}

/// Whether Python is new enough and can create virtual environments.
fn has_python() -> bool {
    let probe = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
    let status =
        Command::new("python3").args(["-c", probe]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

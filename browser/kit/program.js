// Runs the program under test on the command line.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Returns the path of the program. @returns {string} */
export function program() {
  const path = process.env.PAIGOW_PROGRAM;
  if (!path) throw new Error("PAIGOW_PROGRAM is not set: set it to the path of the program, or run `cargo xtask browser`");
  return path;
}

/** Runs a command and returns its JSON output. @param {...string} args @returns {Promise<any>} */
export async function runJson(...args) {
  const { stdout } = await run(program(), [...args, "--format", "json"], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

/** Runs a command and returns whether its exit status is zero. Throws if it did not run to an exit status. @param {...string} args */
export async function succeeds(...args) {
  try {
    await run(program(), args);
    return true;
  } catch (error) {
    if (typeof /** @type {{ code?: unknown }} */ (error).code === "number") return false;
    throw error;
  }
}

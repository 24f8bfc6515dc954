// The program under test, and what it answers on the command line.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Where it is. @returns {string} */
export function program() {
  const path = process.env.PAIGOW_PROGRAM;
  if (!path) throw new Error("PAIGOW_PROGRAM names the program to test; `cargo xtask browser` builds it and says where it is");
  return path;
}

/** What a command answers, as JSON. @param {...string} args @returns {Promise<any>} */
export async function answer(...args) {
  const { stdout } = await run(program(), [...args, "--format", "json"], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

/** Whether a command ends well: other endings than that of the program itself are faults. @param {...string} args */
export async function succeeds(...args) {
  try {
    await run(program(), args);
    return true;
  } catch (error) {
    if (typeof /** @type {{ code?: unknown }} */ (error).code === "number") return false;
    throw error;
  }
}

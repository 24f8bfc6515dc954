// Makes the images of the README from the screenshots of the last `cargo xtask browser`: `npm run pictures`. Requires pngquant.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PICTURES = { "table-settled-1280-dark": "table", "lab-1280-light": "hand-lab", "odds-1280-dark": "odds" };
const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../target", import.meta.url));
const folder = process.env.PAIGOW_SHOTS ?? join(target, "browser");
const images = fileURLToPath(new URL("../docs/images", import.meta.url));

mkdirSync(images, { recursive: true });
for (const [shot, name] of Object.entries(PICTURES)) {
  execFileSync("pngquant", ["--speed", "1", "--strip", "--force", "--output", join(images, `${name}.png`), "128", join(folder, `${shot}.png`)]);
}

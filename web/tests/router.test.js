import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { matchRoute, routes } from "../router.js";

const server = readFileSync(new URL("../../crates/paigow-server/src/http.rs", import.meta.url), "utf8");
const views = [.../const VIEWS[^=]*= \[([^\]]*)\]/.exec(server)[1].matchAll(/"([^"]+)"/g)].map(([, path]) => path);
// The server answers the archive as the puzzle of a day.
views.push("/puzzle/archive");

test("routes match the views of the server", () => {
  const found = new Set();
  for (const view of views) {
    const match = matchRoute({ pathname: view.replace("{round}", "7").replace(/\{\w+\}/, "some-name.1"), search: "" });
    assert.ok(match, view);
    found.add(match.route.name);
  }
  assert.deepEqual([...found].sort(), routes.map(({ name }) => name).sort());
});

test("reads house way and clause from the address", () => {
  const match = matchRoute({ pathname: "/house-ways/mgm-grand", search: "?clause=4" });
  assert.equal(match?.route.name, "houseWay");
  assert.deepEqual([match?.params.way, match?.query.get("clause")], ["mgm-grand", "4"]);
  assert.equal(matchRoute({ pathname: "/house-ways", search: "" }), null);
});

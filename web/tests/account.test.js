import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../api.js";
import { codesText } from "../account/codes-text.js";
import { fieldFault, sentence } from "../account/faults.js";
import { readLimits, usedUp, wantedLimits } from "../account/limit-values.js";
import { movementsOf, tableOf } from "../account/movements.js";
import { matchRoute } from "../router.js";
import { fromBase64url, toBase64url } from "../webauthn.js";
import { words } from "../words/en.js";

const transfer = (place, from, to, cents, more = {}) => ({ place, at: place * 1000, from, to, cents, currency: "PRACTICE", purpose: "wager", table: null, round: null, kind: "plain", hold: null, id: String(place), by: "x", ...more });

test("movements have the balance after each, newest first, in one currency", () => {
  const movements = movementsOf([
    transfer(1, "issue", "player:ann", 1000, { purpose: "issue" }),
    transfer(2, "issue", "player:ann", 777, { currency: "CLUB" }),
    transfer(3, "player:ann", "escrow:ez", 250, { table: "ez", round: 4 }),
    transfer(4, "escrow:ez", "house", 250, { table: "ez", round: 4, purpose: "lost" }),
  ], "ann", "PRACTICE");
  assert.deepEqual(movements.map(({ place, change, after }) => [place, change, after]), [[3, -250, 750], [1, 1000, 1000]]);
  assert.deepEqual([movements[0].table, movements[0].round, movements[1].table], ["ez", 4, null]);
});

test("the journal never shows the id of a table that a player opened", () => {
  const own = "own-0123456789abcdef0123-00000001";
  assert.equal(tableOf(own, "guest-0123456789abcdef0123ffff"), "Your table 101");
  assert.equal(tableOf(own, "guest-other"), "Guest table 101");
  assert.equal(tableOf("ez", null), "ez");
});

test("limits are read from the form; an empty field is no limit", () => {
  assert.deepEqual(readLimits({ amount: "$1,250.50", days: "7", minutes: "90" }).limits, { loss: { cents: 125_050, days: 7 }, minutes: 90 });
  assert.deepEqual(readLimits({ amount: "0", days: "1", minutes: "" }).limits, { loss: { cents: 0, days: 1 }, minutes: null }, "a limit of zero allows no wager");
  assert.deepEqual(readLimits({ amount: " ", days: "7", minutes: "" }).limits, { loss: null, minutes: null });
  for (const amount of ["ten", "-5", "1.234"]) assert.equal(readLimits({ amount, days: "1", minutes: "" }).fault?.field, "amount", amount);
  for (const minutes of ["0", "1441", "1.5", "an hour", "-3"]) assert.equal(readLimits({ amount: "", days: "1", minutes }).fault?.field, "minutes", minutes);
});

test("the form shows the limits that will apply", () => {
  const limits = { loss: { cents: 100, days: 1 }, minutes: 10, pending: null, used: { loss_cents: {}, minutes: 0 } };
  assert.deepEqual(wantedLimits(limits), { loss: { cents: 100, days: 1 }, minutes: 10 });
  assert.deepEqual(wantedLimits({ ...limits, pending: { loss: null, minutes: 20, from: 5 } }), { loss: null, minutes: 20 });
});

test("what is used up has an amount for each currency, and a win uses up nothing", () => {
  const used = usedUp({ loss: { cents: 10_000, days: 7 }, minutes: 60, pending: null, used: { loss_cents: { CLUB: 2500, PRACTICE: -700 }, minutes: 90 } });
  assert.deepEqual(used.map(({ key, part }) => [key, part]), [["CLUB", 0.25], ["PRACTICE", 0], ["minutes", 1]]);
  assert.match(used[0].text, /\$25\.00 of \$100\.00 lost \(CLUB\)/);
  assert.deepEqual(usedUp({ loss: { cents: 0, days: 1 }, minutes: null, pending: null, used: { loss_cents: {}, minutes: 0 } }).map(({ part }) => part), [1]);
  assert.deepEqual(usedUp({ loss: null, minutes: null, pending: null, used: { loss_cents: { CLUB: 2500 }, minutes: 90 } }), []);
  assert.equal(usedUp({ loss: { cents: 10_000, days: 1 }, minutes: null, pending: null, used: { loss_cents: {}, minutes: 0 } }).length, 1);
});

test("a refusal is shown at its field, with every fault", () => {
  const faults = [{ code: "password_short", message: "a password must have at least 10 characters, found 3" }, { code: "password_common", message: "this password is common" }];
  const bad = fieldFault(new ApiError({ code: "bad_password", detail: "x", faults }, 422));
  assert.equal(bad.field, "password");
  assert.match(bad.text, /^A password must have at least 10 characters, found 3\. This password is common\.$/);
  assert.deepEqual(fieldFault(new ApiError({ code: "name_taken", detail: "x" }, 409)), { field: "name", text: words.refused.name_taken });
  assert.deepEqual(fieldFault(new ApiError({ code: "wrong_credentials", detail: "x" }, 401)), { field: "", text: words.account.signIn.wrong });
  assert.match(fieldFault(new ApiError({ code: "too_many_tries", detail: "x", retry_seconds: 300 }, 429)).text, /in 5 minutes\./);
  assert.match(fieldFault(new ApiError({ code: "too_many_tries", detail: "x", retry_seconds: 1 }, 429)).text, /in 1 second\./);
  assert.equal(sentence("stand up first"), "Stand up first.");
});

test("errors of passkeys have messages of their own", () => {
  assert.equal(fieldFault(new DOMException("x", "NotAllowedError")).text, words.account.passkey.cancelled);
  assert.equal(fieldFault(new DOMException("x", "InvalidStateError")).text, words.account.passkey.exists);
  assert.equal(fieldFault(new DOMException("x", "SecurityError")).text, words.account.passkey.failed);
});

test("the file of the recovery codes names the account and has a line for each code", () => {
  const text = codesText("Ann", "club.example", ["one", "two"]);
  assert.match(text, /account Ann at club\.example/);
  assert.match(text, /\none\ntwo\n$/);
});

test("an invitation has every character of a secret in its address", () => {
  assert.equal(matchRoute({ pathname: "/join/-aB_9-x", search: "" })?.params.secret, "-aB_9-x");
  assert.equal(matchRoute({ pathname: "/account", search: "?part=limits" })?.query.get("part"), "limits");
});

test("bytes of passkeys are base64url", () => {
  const bytes = Uint8Array.from([251, 255, 190, 0]);
  assert.equal(toBase64url(bytes), "-_--AA");
  assert.deepEqual(fromBase64url("-_--AA"), bytes);
});

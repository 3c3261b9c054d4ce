// A repository can contain a waybill.config.json, cards and programs. This one tries to attack a user
// who clones it and calls Waybill, and prints the message that stops each attack.
import assert from "node:assert/strict";
import { ATTEMPTS } from "./attempts.ts";
import { Repository } from "./repository.ts";

for (const { title, run, says, hides } of ATTEMPTS) {
  const repository = await Repository.clone();
  try {
    const { all } = await run(repository);
    const [sentence] = says.exec(all) ?? [];
    assert.ok(sentence, `${title}: ${all}`);
    assert.ok(hides === undefined || !hides.test(all), `${title}: ${all}`);
    assert.deepEqual(repository.attacker.seen, [], title);
    assert.equal(repository.isTrapped, false, title);
    console.log(`${title}\n  ${sentence.replaceAll("\\", "")}`);
  } finally {
    await repository.remove();
  }
}
console.log(`${ATTEMPTS.length} attempts, 0 takeovers`);

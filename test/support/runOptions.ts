/** Options of `npm test` that lengthen it. */

/** Pictures are for people who look at them, and no test depends on one: `npm test -- --pictures` takes them. */
export const arePicturesTaken = process.env["FORGE_TEST_PICTURES"] === "1";

/** Tests that repeat one thing many times do it more often with `npm test -- --thorough`, as every night. */
export const isThorough = process.env["FORGE_TEST_THOROUGH"] === "1";

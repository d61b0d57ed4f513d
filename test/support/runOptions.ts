/** Pictures are for people who look at them, and no test depends on one: `npm test -- --pictures` takes them. */
export const arePicturesTaken = process.env["FORGE_TEST_PICTURES"] === "1";

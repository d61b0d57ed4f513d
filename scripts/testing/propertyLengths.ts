/**
 * Lets property tests use their full `maxLength`. By default fast-check stays below ten, whatever the maximum, and
 * misses failures that need longer sequences.
 */

import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), defaultSizeToMaxWhenMaxSpecified: true });

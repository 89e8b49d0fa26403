/**
 * What the profiles of {@code init} catch and what they hit wrongly, measured on copies of real
 * lists: by {@code integration-tests/bench/catch.sh}, and by a test where the copies are.
 */
@NullMarked
package io.bloomgate.catches;

import org.jspecify.annotations.NullMarked;

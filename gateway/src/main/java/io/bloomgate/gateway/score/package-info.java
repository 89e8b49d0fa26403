/**
 * The effect of each feed on the kept sessions: the answer of {@code feeds score} and of {@code
 * feeds promote}.
 */
@NullMarked
package io.bloomgate.gateway.score;

import org.jspecify.annotations.NullMarked;

/**
 * The effect of other lists or settings on mail that came before: past sessions, the decision on
 * each of them before and after the change, and the sums.
 *
 * <p>Pure but for reading the sessions. Called by the command line.
 */
@NullMarked
package io.bloomgate.blocklists.impact;

import org.jspecify.annotations.NullMarked;

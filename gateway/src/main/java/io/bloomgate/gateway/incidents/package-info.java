/**
 * Refused mails by their id, kept in a ring on disk for {@code explain --incident}.
 *
 * <p>Called by sessions and never blocks them; one thread writes.
 */
@NullMarked
package io.bloomgate.gateway.incidents;

import org.jspecify.annotations.NullMarked;

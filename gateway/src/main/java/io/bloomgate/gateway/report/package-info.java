/**
 * The daily report: its figures from the session store and the state of the gateway, as text, as
 * HTML and by mail.
 *
 * <p>Called by control connections and by a chore of the housekeeping, on threads that may block.
 */
@NullMarked
package io.bloomgate.gateway.report;

import org.jspecify.annotations.NullMarked;

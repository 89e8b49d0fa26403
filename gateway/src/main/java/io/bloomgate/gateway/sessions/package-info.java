/**
 * Keeps what happened to each session, for {@code explain}, {@code sessions} and {@code impact}.
 *
 * <p>Sessions put records into a queue and never wait; one thread writes them into the files of
 * {@code blocklists.sessions}. Trouble with these files costs rows, never mail.
 */
@NullMarked
package io.bloomgate.gateway.sessions;

import org.jspecify.annotations.NullMarked;

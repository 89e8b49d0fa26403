/**
 * The conversation with the client: listener, admission, verbs, transaction, and the transfer of a
 * message to its mail servers.
 *
 * <p>Made by the composition root, which also calls {@link
 * io.bloomgate.gateway.session.SessionRegistry#tick}. One virtual thread a session; the only
 * package that sees SubEthaSMTP.
 */
@NullMarked
package io.bloomgate.gateway.session;

import org.jspecify.annotations.NullMarked;

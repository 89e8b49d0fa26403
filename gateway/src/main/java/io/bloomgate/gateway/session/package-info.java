/**
 * The conversation with the client: listener, byte reader, verbs, transaction.
 *
 * <p>One virtual thread a session; the only package that sees SubEthaSMTP.
 */
@NullMarked
package io.bloomgate.gateway.session;

import org.jspecify.annotations.NullMarked;

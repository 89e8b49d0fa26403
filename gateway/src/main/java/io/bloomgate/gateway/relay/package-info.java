/**
 * The dialog with the upstream: connection, identity, envelope, content, and what becomes of its
 * replies.
 *
 * <p>Called by sessions on their own threads; the only package that sees commons-net.
 */
@NullMarked
package io.bloomgate.gateway.relay;

import org.jspecify.annotations.NullMarked;

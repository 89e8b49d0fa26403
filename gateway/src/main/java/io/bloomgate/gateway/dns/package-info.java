/**
 * Reverse names of clients, for mail servers that learn them by XCLIENT or XFORWARD; no verdict
 * uses DNS.
 *
 * <p>The only package that sees dnsjava. Look-ups run on virtual threads of their own.
 */
@NullMarked
package io.bloomgate.gateway.dns;

import org.jspecify.annotations.NullMarked;

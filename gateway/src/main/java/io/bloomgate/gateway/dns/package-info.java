/**
 * Answers of DNS: the names of clients, and what DNS lists say of clients, senders and content.
 *
 * <p>The only package that sees dnsjava. Asked by sessions on their threads: a question blocks
 * nobody, its answer is awaited for a bounded time.
 */
@NullMarked
package io.bloomgate.gateway.dns;

import org.jspecify.annotations.NullMarked;

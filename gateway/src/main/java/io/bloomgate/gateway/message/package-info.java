/**
 * Pure extractors and writers of the header block.
 *
 * <p>Called by sessions on their own threads; the only package that sees jakarta.mail.
 */
@NullMarked
package io.bloomgate.gateway.message;

import org.jspecify.annotations.NullMarked;

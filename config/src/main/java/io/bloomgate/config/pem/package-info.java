/**
 * Certificates and keys in PEM files (RFC 7468), read. {@code PemPair} is the door; {@code Der}
 * also writes what a certificate of ours takes.
 */
@NullMarked
package io.bloomgate.config.pem;

import org.jspecify.annotations.NullMarked;

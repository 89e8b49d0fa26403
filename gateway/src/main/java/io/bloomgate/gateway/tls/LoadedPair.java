package io.bloomgate.gateway.tls;

import io.bloomgate.config.pem.PemFiles;
import org.jspecify.annotations.Nullable;

/**
 * A pair of files that the settings name, as it was read. Made by the reader of the settings and by
 * {@link ServerCertificates}. Immutable.
 *
 * @param tls what can be shown, perhaps a former content; {@code null} when none could be read
 * @param problem why the newest content is not in use; empty when it is
 */
public record LoadedPair(PemFiles files, @Nullable PemTls tls, String problem) {}

package io.bloomgate.config.pem;

import java.nio.file.Path;

/**
 * The files of one certificate chain and its private key, as the settings name them. Immutable.
 *
 * @param setting the section that names both: {@code tls}, or {@code tls.certificates[0]}
 */
public record PemFiles(String setting, Path certificate, Path key) {

  /** The setting that names the certificate. */
  public String certificateSetting() {
    return setting + ".certificate";
  }

  /** The setting that names the key. */
  public String keySetting() {
    return setting + ".key";
  }
}

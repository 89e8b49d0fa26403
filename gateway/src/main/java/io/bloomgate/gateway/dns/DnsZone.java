package io.bloomgate.gateway.dns;

import io.bloomgate.config.settings.SecretFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A zone of DNS lists with its key; sources with {@code dns_of} share it. Immutable but for its
 * health.
 *
 * @param name without the key
 * @param keyFile {@code null} for none
 * @param ofAddresses true when it is asked about clients, so that its test entries are addresses
 * @param testName the test entry of a list of names
 */
record DnsZone(
    String name, @Nullable Path keyFile, boolean ofAddresses, String testName, ZoneHealth health) {

  /** The zone to ask, with the key in front; read each time, so that a new key counts at once. */
  String keyed() throws SecretFile.UnusableException {
    Path file = keyFile;
    if (file == null) {
      return name;
    }
    String key = SecretFile.read(file);
    if (!key.matches("[A-Za-z0-9_-]{1,63}")) {
      throw new SecretFile.UnusableException(file, "a key for DNS is one label: a-z 0-9 - _");
    }
    return key + "." + name;
  }
}

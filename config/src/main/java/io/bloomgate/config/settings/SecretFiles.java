package io.bloomgate.config.settings;

import io.bloomgate.config.pem.PemFiles;
import io.bloomgate.config.settings.Fetching.HeaderValue;
import io.bloomgate.config.settings.Fetching.Proxy;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files with keys, tokens and passwords that settings name: a backup takes them only when it is
 * asked to, and nothing else reads them for another place. Pure.
 */
public final class SecretFiles {

  /**
   * One file.
   *
   * @param key the setting that names it
   */
  public record Named(String key, Path file) {}

  private SecretFiles() {}

  /** All of them, each file once, in the order of the settings. */
  public static List<Named> of(Settings settings) {
    Map<Path, Named> all = new LinkedHashMap<>();
    for (PemFiles pair : settings.tls().certificates()) {
      add(all, pair.certificateSetting(), pair.certificate());
      add(all, pair.keySetting(), pair.key());
    }
    add(all, "feeds.proxy_credentials_file", credentials(settings.feeds().proxy()));
    settings
        .feeds()
        .sources()
        .forEach((name, feed) -> {
          if (feed.location() instanceof Location.Url(FeedUrl _, Fetching fetching)) {
            add(all, "feeds.sources." + name + ".", fetching);
          }
        });
    settings
        .feeds()
        .dnsLists()
        .forEach((name, list) -> add(all, "feeds.sources." + name + ".key_file", list.keyFile()));
    add(all, "admin.token_file", settings.admin().tokenFile());
    add(all, "admin.write_tokens_file", settings.admin().writeTokensFile());
    return List.copyOf(all.values());
  }

  private static void add(Map<Path, Named> all, String feed, Fetching fetching) {
    add(all, feed + "secret_file", fetching.secretFile());
    fetching
        .headers()
        .forEach((name, value) -> {
          if (value instanceof HeaderValue.SecretFile(Path file)) {
            add(all, feed + "headers." + name, file);
          }
        });
    add(all, feed + "proxy_credentials_file", credentials(fetching.proxy()));
  }

  private static void add(Map<Path, Named> all, String key, @Nullable Path file) {
    if (file != null) {
      all.putIfAbsent(file, new Named(key, file));
    }
  }

  private static @Nullable Path credentials(@Nullable Proxy proxy) {
    return proxy == null ? null : proxy.credentials();
  }
}

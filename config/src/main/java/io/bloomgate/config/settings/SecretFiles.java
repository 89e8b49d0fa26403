package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Fetching.HeaderValue;
import io.bloomgate.config.settings.Fetching.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    Set<Path> seen = new LinkedHashSet<>();
    List<Named> all = new ArrayList<>();
    Collector files =
        (key, file) -> {
          if (file != null && seen.add(file)) {
            all.add(new Named(key, file));
          }
        };
    files.add("tls.certificate", settings.tls().certificate());
    files.add("tls.key", settings.tls().key());
    files.add("feeds.proxy_credentials_file", credentials(settings.feeds().proxy()));
    for (Map.Entry<String, Settings.Feeds.Source> feed : settings.feeds().sources().entrySet()) {
      if (feed.getValue().location() instanceof Location.Url(FeedUrl ignored, Fetching fetching)) {
        add("feeds.sources." + feed.getKey() + ".", fetching, files);
      }
    }
    settings
        .feeds()
        .dnsLists()
        .forEach((name, list) -> files.add("feeds.sources." + name + ".key_file", list.keyFile()));
    files.add("admin.token_file", settings.admin().tokenFile());
    files.add("admin.write_tokens_file", settings.admin().writeTokensFile());
    return List.copyOf(all);
  }

  @FunctionalInterface
  private interface Collector {
    void add(String key, @Nullable Path file);
  }

  private static void add(String feed, Fetching fetching, Collector files) {
    files.add(feed + "secret_file", fetching.secretFile());
    fetching
        .headers()
        .forEach((name, value) -> {
          if (value instanceof HeaderValue.SecretFile(Path file)) {
            files.add(feed + "headers." + name, file);
          }
        });
    files.add(feed + "proxy_credentials_file", credentials(fetching.proxy()));
  }

  private static @Nullable Path credentials(@Nullable Proxy proxy) {
    return proxy == null ? null : proxy.credentials();
  }
}

package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Fetching.HeaderValue;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import io.bloomgate.config.settings.yaml.SettingsText;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** How a feed is fetched, as the settings say it; and that nothing shows the keys in them. */
class FetchSettingsTest {

  private static Location.Url web(Loaded loaded, String name) {
    return assertInstanceOf(
        Location.Url.class,
        Objects.requireNonNull(loaded.settings().feeds().sources().get(name)).location());
  }

  @Test
  void readsHowAFeedIsFetched() {
    Loaded loaded =
        Reading.loaded(
            """
            feeds:
              proxy: http://[2001:db8::1]:3128
              proxy_credentials_file: secrets/proxy
              sources:
                a:
                  url: https://h.example/{secret}/x
                  secret_file: secrets/a
                  headers: {Auth-Key: "file:/run/key", Accept: text/plain}
                  mirrors: ["https://m.example/x"]
                  checksum_url: https://h.example/sums
                  allow_private_redirects: true
                b: {url: https://h.example/, proxy: none}
                c: {url: https://h.example/, proxy: "http://p.example:8080"}
            """);
    Fetching a = web(loaded, "a").fetching();
    assertEquals(Path.of("/etc/bg/secrets/a"), a.secretFile());
    assertEquals(
        Map.of(
            "Auth-Key",
            new HeaderValue.SecretFile(Path.of("/run/key")),
            "Accept",
            new HeaderValue.Text("text/plain")),
        a.headers());
    assertEquals(List.of(new FeedUrl("https://m.example/x")), a.mirrors());
    assertEquals(new FeedUrl("https://h.example/sums"), a.checksumUrl());
    assertTrue(a.allowPrivateRedirects());
    Fetching.Proxy proxy = Objects.requireNonNull(a.proxy());
    assertEquals("[2001:db8::1]:3128", proxy.address().toString());
    assertEquals(Path.of("/etc/bg/secrets/proxy"), proxy.credentials());
    assertNull(web(loaded, "b").fetching().proxy());
    Fetching.Proxy own = Objects.requireNonNull(web(loaded, "c").fetching().proxy());
    assertEquals("p.example:8080", own.address().toString());
    assertNull(own.credentials(), "credentials belong to the proxy beside them");
  }

  @Test
  void keysAreShownNowhere() {
    String feeds =
        """
        feeds:
          sources:
            a:
              url: https://h.example/x?key=HIDDEN
              headers: {Auth-Key: HIDDEN}
              mirrors: ["https://m.example/x?key=HIDDEN"]
              checksum_url: https://h.example/sums?HIDDEN
        """;
    Loaded loaded = Reading.loaded(feeds);
    String all = SettingsText.render(loaded.values(), true) + loaded.settings();
    assertFalse(all.contains("HIDDEN"), all);
    assertTrue(all.contains("url: \"https://h.example/x?...\""), all);
    assertTrue(all.contains("Auth-Key: \"***\""), all);
  }

  @Test
  void keysMayGoToLoopbackInPlainText() {
    Reading.loaded(
        "feeds: {sources: {x: {url: \"http://127.0.0.1:8/{secret}\", secret_file: k,"
            + " headers: {A: x}}}}\n");
  }
}

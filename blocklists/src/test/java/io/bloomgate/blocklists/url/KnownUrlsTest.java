package io.bloomgate.blocklists.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.WebUrl;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A URL that comes again is the one that reading it again would give. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class KnownUrlsTest {

  private static @Nullable WebUrl asked(KnownUrls urls, String text) {
    return urls.asked(text.toCharArray(), 0, text.length(), () -> true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://shop.example/a?b=c",
        "//shop.example/a?b=c",
        "/shop.example/a?b=c",
        "https:///shop.example/a?b=c"
      })
  void schemeMakesNoDifference(String other) {
    KnownUrls urls = new KnownUrls();
    assertSame(asked(urls, "https://shop.example/a?b=c"), asked(urls, other));
  }

  /** Also with more URLs than are kept, and with some that are canonical in another form. */
  @Test
  void whatIsKnownIsWhatIsRead() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    KnownUrls urls = new KnownUrls();
    String[] before = {"https://", "http://", "//", "/", "", "HTTP://", "https:", "ftp://"};
    String[] hosts = {
      "a.example", "A.example", "1.2.3.4", "a.0x7", "[::1]", "b\u00fc.example", "x"
    };
    String[] paths = {
      "", "/", "/p", "/p//q", "/./p", "/%41", "/p#q", "/?q", ":80/", "/" + "l".repeat(300)
    };
    int found = 0;
    for (int round = 0; round < 50_000; round++) {
      String number = random.nextInt(4) == 0 ? "" : "/" + random.nextInt(1_000);
      String text =
          before[random.nextInt(before.length)]
              + hosts[random.nextInt(hosts.length)]
              + number
              + paths[random.nextInt(paths.length)];
      WebUrl read = WebUrl.asked(text).orElse(null);
      assertEquals(read, asked(urls, text), "seed " + seed + ": " + text);
      found += read == null ? 0 : 1;
    }
    assertTrue(found > 10_000, found + " URLs");
  }
}

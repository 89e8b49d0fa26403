package io.bloomgate.blocklists.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.WebUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The 300 URLs of a real OpenPhish feed, which is beside the repository ({@code ../shared/feeds})
 * and not part of it; where it is missing the test is skipped.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SharedUrlFeedTest {

  private static final Path FEED =
      Path.of("..", "..", "..", "shared", "feeds", "domain", "openphish_feed.txt");

  private static List<String> lines() throws IOException {
    Assumptions.assumeTrue(Files.exists(FEED), "no shared feeds here: " + FEED);
    return Files.readAllLines(FEED);
  }

  @Test
  void eachUrlIsReadAndFoundInATextAsItself() throws IOException {
    for (String line : lines()) {
      String url = WebUrl.parse(line).toOptional().orElseThrow().toString();
      assertEquals(url, WebUrl.parse(url).toOptional().orElseThrow().toString());
      for (boolean plain : new boolean[] {true, false}) {
        assertEquals(url, TextUrlsTest.found("see <" + line + "> or", plain).getFirst());
        assertEquals(url, TextUrlsTest.found("see " + line + "\r\n", plain).getFirst());
      }
    }
  }

  /** The host of a customer is listed, the host of all customers is not. */
  @Test
  void onlyHostsOfAllCustomersAreShared() throws IOException {
    Set<ListKey> hosts = new HashSet<>();
    Set<String> shared = new HashSet<>();
    for (String line : lines()) {
      ListKey host = WebUrl.parse(line).toOptional().orElseThrow().host();
      hosts.add(host);
      if (SharedHosts.isShared(host)) {
        shared.add(host.toString());
      }
      if (host instanceof DomainName name && name.toString().endsWith(".vercel.app")) {
        assertFalse(SharedHosts.isShared(name));
        assertTrue(SharedHosts.isShared(name.from(name.labels() - 2)));
      }
    }
    assertTrue(shared.containsAll(List.of("sites.google.com", "goo.su")), shared.toString());
    assertTrue(shared.size() < hosts.size() / 10, shared.size() + " of " + hosts.size());
  }
}

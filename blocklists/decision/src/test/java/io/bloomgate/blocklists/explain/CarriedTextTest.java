package io.bloomgate.blocklists.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the command line finds in a mail arrives at the gateway as the same keys. */
class CarriedTextTest {

  private static WebUrl url(String text) {
    return WebUrl.asked(text).orElseThrow(() -> new AssertionError(text));
  }

  @Test
  void keysComeBack() {
    List<ContentKey> keys = new ArrayList<>();
    for (String text :
        List.of(
            "http://evil.example/a?b=c%25",
            "http://1.2.3.4/",
            // of the host only the parents can be read
            "http://a!b.evil.example/login?x=?.y",
            "http://a%20b.evil.example/",
            "http://a\u001b[2J.evil.example/",
            "http://" + "\u4e00".repeat(200) + ".evil.example/")) {
      keys.add(new ContentKey(Check.URL, url(text), Place.OPEN));
      keys.add(new ContentKey(Check.URL_HOST, url(text).host(), Place.NESTED));
    }
    DomainName broken = DomainName.asked("a!b.evil.example").orElseThrow(AssertionError::new);
    keys.add(new ContentKey(Check.FROM_DOMAIN, broken, Place.OPEN));
    assertTrue(keys.get(4).key().toString().startsWith("?.evil.example/"), keys.get(4)::toString);
    assertEquals(Parsed.ok(keys), CarriedText.parse(keys.stream().map(CarriedText::of).toList()));
  }
}

package io.bloomgate.blocklists.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A hash of a subject or a text is no text for people; everything else is shown as it is. */
class ShownKeyTest {

  private static final String HASH = "0123456789abcdef".repeat(4);
  private static final String LIKE = "like:" + HASH + HASH;

  @Test
  void aMailIsNamedByWhatItHas() {
    assertEquals("the subject of this mail", ShownKey.ofMail("subject", HASH));
    assertEquals("the text of this mail", ShownKey.ofMail("body", HASH));
    assertEquals("the text of this mail", ShownKey.ofMail("body", LIKE));
    assertEquals(HASH, ShownKey.ofMail("attachment", HASH));
    assertEquals("evil.example/a?x=1", ShownKey.ofMail("url", "evil.example/a?x=1"));
    assertEquals("like:a", ShownKey.ofMail("url", "like:a"));
  }

  @Test
  void anEntryIsShortButForAnAttachment() {
    assertEquals("0123456789ab...", ShownKey.ofEntry(List.of("subject"), HASH));
    assertEquals("like:0123456789ab...", ShownKey.ofEntry(List.of(), LIKE));
    assertEquals(HASH, ShownKey.ofEntry(List.of("attachment"), HASH));
    assertEquals(HASH, ShownKey.ofEntry(List.of(), HASH));
    assertEquals("evil.example", ShownKey.ofEntry(List.of("url_host"), "evil.example"));
  }
}

package io.bloomgate.gateway.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which ids are found in a message. "~" is CRLF. */
final class QuotedIdsTest {

  private static final String ID = "7K3Q9ZT2AB";

  private static List<String> found(String message) {
    return QuotedIds.in(message.replace("~", "\r\n").getBytes(ISO_8859_1), 20);
  }

  private static String base64(String text) {
    return Base64.getMimeEncoder().encodeToString(text.replace("~", "\r\n").getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "A: b~~[7K3Q9ZT2AB]",
        "A: b~~> 554 5.7.1 Service unavailable; blocked using drop [7k3q9zt2ab]~",
        "A: b~~my id is 7K3Q9ZT2AB.~",
        "A: b~~7K3Q9ZT2AB~7K3Q9ZT2AB [7K3Q9ZT2AB]",
        "no header [7K3Q9ZT2AB]",
        "SUBJECT : Fwd: refused [7K3Q9ZT2AB]",
        "Subject: Fwd:~ refused 7K3Q9ZT2AB~A: b~~",
        "Subject: =?utf-8?Q?Fwd=3A_=5B7K3Q9?=~ =?utf-8?Q?ZT2AB=5D?=~~",
        "Subject: =?utf-8?B?WzdLM1E5WlQyQUJd?=~~",
        "Subject: =?none-such?Q?x?= 7K3Q9ZT2AB~~",
        "A: b~~blocked using drop [7K3Q= ~9ZT2AB]~",
        "A: b~~blocked using drop =5B=37K3Q9ZT2AB=5d~",
        "A: b~~<p>blocked [<b>7K3Q9ZT2AB</b>]</p>",
        "A: b~~<p>blocked &#91;7K3Q9ZT2AB&#93;</p>",
        "A: b~~id=4C3Q9ZT2AB",
      })
  void theIdIsFoundHoweverItIsQuoted(String message) {
    String id = message.contains("4C3Q") ? "4C3Q9ZT2AB" : ID;
    assertEquals(List.of(id), found(message));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Received: id 7K3Q9ZT2AB~~text",
        "A: b~~the management of 7K3Q9ZT2ABC~",
        "A: b~~call 0301234567 [MANAGEMENU]",
        "A: b~~7K3Q9ZT2A\u00e4 7K3Q9-ZT2AB _7K3Q9ZT2A",
        "A: b~~7K3Q9~ZT2AB",
      })
  void otherWordsAreNoIds(String message) {
    assertEquals(List.of(), found(message));
  }

  @Test
  void base64IsDecodedWhereverItIs() {
    String text = "Hello,~our mail was refused: blocked using drop [" + ID + "]~Greetings~";
    for (int before = 0; before < 120; before++) {
      String part = base64("x".repeat(before) + " " + text + "y".repeat(before));
      List<String> found = found("A: b~~--x~C: base64~~" + part + "~--x--~");
      assertEquals(ID, found.getFirst(), part);
      // The last line of a part may look like a word.
      assertTrue(found.size() <= 2, part);
    }
    assertEquals(List.of(ID), found("C: base64~~" + base64("[" + ID + "]")));
    String word = base64("x".repeat(60)) + "~" + base64("[" + ID + "]") + "~";
    assertEquals(List.of(ID), found("A: b~~" + word + base64("y".repeat(70))));
  }

  @Test
  void aMessageOfAnotherProgramIsRead() {
    for (String text : List.of("[" + ID + "]", "Gr\u00fc\u00dfe \u4f60 [" + ID + "]~x")) {
      byte[] message =
          SampleMessage.compose(
              "a@b.example",
              "postmaster@example.com",
              "\u4f60",
              text.replace("~", "\n"),
              "1@b.example",
              Instant.EPOCH);
      assertEquals(List.of(ID), QuotedIds.in(message, 20));
    }
  }

  @Test
  void partsOfAnyDepthAreRead() {
    StringBuilder message = new StringBuilder();
    for (int depth = 0; depth < 500; depth++) {
      message.append("Content-Type: multipart/alternative; boundary=b").append(depth);
      message.append("~~--b").append(depth).append('~');
    }
    message.append("Content-Transfer-Encoding: base64~~").append(base64("[" + ID + "]"));
    assertEquals(List.of(ID), found(message.toString()));
  }

  /** An attachment in base64 is not mistaken for words. */
  @Test
  void picturesHideNoId() {
    byte[] picture = new byte[30_000];
    new Random(7).nextBytes(picture);
    String encoded = Base64.getMimeEncoder().encodeToString(picture);
    assertEquals(List.of(ID), found("A: b~~" + encoded + "~~[" + ID + "]~"));
  }

  @Test
  void idsAreBoundedAndThoseInBracketsComeFirst() {
    List<String> ids =
        IntStream.range(0, 50).mapToObj(i -> String.format("7K3Q9ZTA%02d", i)).toList();
    String bare = String.join("~", ids);
    List<String> first = new ArrayList<>(List.of(ID));
    first.addAll(ids.subList(0, 19));
    assertEquals(first, found("A: b~~" + bare + "~[" + ID + "]"));
    assertEquals(
        ids.subList(0, 20), found("A: b~~" + bare.replaceAll("(7\\w+)", "[$1]") + "~[" + ID + "]"));
  }

  /** What it cannot make sense of is read as it is. */
  @Test
  void noMessageIsTooBroken() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    String alphabet = "=?QB_ \r\n\t:[]7K-+/A\u00e4\0";
    for (int round = 0; round < 3_000; round++) {
      StringBuilder message = new StringBuilder(random.nextBoolean() ? "Subject: =?utf-8?Q?" : "");
      int length = random.nextInt(80);
      for (int i = 0; i < length; i++) {
        message.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      byte[] octets = message.toString().getBytes(ISO_8859_1);
      int read = ReadableText.of(octets).stream().mapToInt(String::length).sum();
      assertTrue(read <= 4 * octets.length + 4, "seed " + seed + ": " + message);
    }
  }
}

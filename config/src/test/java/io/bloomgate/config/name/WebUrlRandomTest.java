package io.bloomgate.config.name;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random URLs: read as by a slow reading of the rules, and the same when they are read again. */
class WebUrlRandomTest {

  private static final long SEED = 0x0b10_063a_7e02L;

  /** Each step of the published rules, written again without any care for time. */
  private static String slowUnescape(String text) {
    String now = text;
    while (true) {
      StringBuilder next = new StringBuilder();
      for (int i = 0; i < now.length(); i++) {
        if (now.charAt(i) == '%'
            && i + 2 < now.length()
            && Character.digit(now.charAt(i + 1), 16) >= 0
            && Character.digit(now.charAt(i + 2), 16) >= 0) {
          next.append((char) Integer.parseInt(now.substring(i + 1, i + 3), 16));
          i += 2;
        } else {
          next.append(now.charAt(i));
        }
      }
      if (next.toString().equals(now)) {
        return now;
      }
      now = next.toString();
    }
  }

  private static String slowPath(String raw) {
    String path = slowUnescape(raw);
    int mark = path.indexOf('?');
    String query = mark < 0 ? "" : path.substring(mark);
    String folders = "/" + (mark < 0 ? path : path.substring(0, mark)).replace('\\', '/');
    List<String> kept = new ArrayList<>();
    String[] segments = folders.substring(1).split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      boolean last = i == segments.length - 1;
      boolean up = segments[i].equals("..");
      if (up && !kept.isEmpty()) {
        kept.removeLast();
      }
      if (!up && !segments[i].equals(".")) {
        kept.add(segments[i]);
      } else if (last) {
        kept.add("");
      }
    }
    StringBuilder out = new StringBuilder();
    for (char c : (("/" + String.join("/", kept)).replaceAll("/+", "/") + query).toCharArray()) {
      out.append(
          c <= 32 || c >= 127 || c == '#' || c == '%' ? "%%%02X".formatted((int) c) : "" + c);
    }
    return out.toString();
  }

  @Test
  void randomPathsMatchTheSlowReadingAndReadTheSameAgain() {
    String alphabet = "%%%%252e2F//..??ab5\\c013\u0001~ ";
    Random random = new Random(SEED);
    for (int round = 0; round < 20_000; round++) {
      StringBuilder path = new StringBuilder();
      for (int i = random.nextInt(24); i >= 0; i--) {
        path.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      String raw = path + "x";
      String context = "seed " + SEED + " round " + round + ": " + raw;
      WebUrl url = WebUrlTest.url("http://e.example/" + raw);
      assertEquals("e.example" + slowPath(raw), url.toString(), context);
      assertEquals(url, WebUrlTest.url(url.toString()), context);
      assertTrue(url.expressions().size() <= 30, context);
    }
  }

  @Test
  void anyCharactersGiveAUrlThatReadsTheSameAgainOrAReason() {
    Random random = new Random(SEED);
    String alphabet =
        "httphttp::///\\@.%25aeE01x[]#? \u3002\uff0e\u200b\u00fc\ud83d\ude00\uffff\u0000";
    int urls = 0;
    for (int round = 0; round < 50_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(20); i >= 0; i--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      String context = "seed " + SEED + " round " + round + ": " + text;
      Parsed<WebUrl> parsed = WebUrl.parse(text.toString());
      if (parsed instanceof Parsed.Ok<WebUrl>(WebUrl url, var ignored)) {
        urls++;
        assertEquals(url, WebUrlTest.url(url.toString()), context);
        assertEquals(url, WebUrl.asked(text.toString()).orElseThrow(), context);
        assertTrue(url.toString().chars().allMatch(c -> c > 32 && c < 127), context);
      }
    }
    assertTrue(urls > 250, urls + " URLs");
  }

  /** A scheme in capitals is read step by step. */
  @Test
  void plainUrlsAreReadAsStepByStep() {
    Random random = new Random(SEED);
    String alphabet = "aabbccxnE019--_...:@[]%4/\\?#~ \t\u00fc\u3002";
    int urls = 0;
    for (int round = 0; round < 30_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(14); i >= 0; i--) {
        int most = random.nextInt(3) == 0 ? alphabet.length() : 16;
        text.append(alphabet.charAt(random.nextInt(most)));
      }
      text.append(random.nextBoolean() ? ".example" : "").append(random.nextBoolean() ? "/" : "");
      for (int i = random.nextInt(8); i > 0; i--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      String context = "seed " + SEED + " round " + round + ": " + text;
      Optional<WebUrl> url = WebUrl.asked("https://" + text);
      assertEquals(WebUrl.asked("HTTPS://" + text), url, context);
      assertEquals(
          WebUrl.parse("HTTPS://" + text).toOptional(),
          WebUrl.parse("https://" + text).toOptional(),
          context);
      urls += url.isPresent() ? 1 : 0;
    }
    assertTrue(urls > 4_800, urls + " URLs");
  }
}

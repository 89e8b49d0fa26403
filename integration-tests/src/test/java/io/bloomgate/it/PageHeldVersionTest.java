package io.bloomgate.it;

import static io.bloomgate.it.PageFixture.READ;
import static io.bloomgate.it.PageFixture.WRITE;
import static io.bloomgate.it.PageFixture.bearer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of a feed of which a version is held: what it would change, accept and roll back. */
class PageHeldVersionTest extends PageStory {

  @BeforeAll
  void makeTheGuardStrict() throws IOException {
    Path settings = page.gateway().settingsFile();
    String guard = "guard: {max_turnover: none, max_shrink: 100%}";
    String strict = "guard: {max_turnover: none, max_growth: 100000%, max_shrink: 50%}";
    Files.writeString(settings, Files.readString(settings).replace(guard, strict));
    page.gateway().control(new ControlRequest.ConfigReload(false));
  }

  private String show(String feed) throws Exception {
    HttpResponse<String> answer = page.get("/feed?name=" + feed, bearer(READ));
    assertEquals(200, answer.statusCode(), answer::body);
    return answer.body();
  }

  private String change(String form) throws Exception {
    HttpResponse<String> answer = page.post("/feed", form, bearer(WRITE));
    assertEquals(200, answer.statusCode(), answer::body);
    return answer.body();
  }

  private void refresh(String feed, String... lines) throws IOException {
    page.gateway().write(feed + ".txt", lines);
    page.gateway().control(new ControlRequest.FeedsRefresh(List.of(feed), false, true));
  }

  private static String[] lines(int entries, IntFunction<String> line) {
    String[] lines = new String[entries];
    Arrays.setAll(lines, line);
    return lines;
  }

  private static String row(String oldLine, String goes, String newLine, String comes) {
    return "<tr>%s<td>%s</td>%s<td>%s</td></tr>"
        .formatted(number(oldLine), goes, number(newLine), comes);
  }

  private static String number(String line) {
    return "<td class=\"n\"%s>%s</td>"
        .formatted(line.isEmpty() ? "" : " data-label=\"Line\"", line);
  }

  /** White space between the tags counts for nothing. */
  private static String rows(String html) {
    return html.replaceAll(">\\s+<", "><");
  }

  @Test
  void itIsShownAcceptedAndTakenBack() throws Exception {
    refresh("grey", lines(40, i -> "198.51.100." + i));
    refresh("grey", "# two of them are new", "198.51.100.1", "192.0.2.11", "192.0.2.12");
    String held = rows(show("grey"));
    assertTrue(held.contains("A version is held"), held);
    assertTrue(held.contains("<p>2 entries come, 39 go, 1 stay."), held);
    String expected =
        row("1", "198.51.100.0", "3", "192.0.2.11")
            + row("3", "198.51.100.2", "4", "192.0.2.12")
            + row("4", "198.51.100.3", "", "");
    assertTrue(held.contains(expected), held);
    change("name=grey&do=accept");
    String live = show("grey");
    assertFalse(live.contains("A version is held"), live);
    assertFalse(live.contains("entries come"), live);
    assertTrue(live.contains("<td>" + PageFixture.AUTHOR + "</td>"), live);
    String back = change("name=grey&do=rollback");
    assertTrue(back.contains("\"rolled_back_from\":"), back);
  }

  /** The publisher of a list writes what an administrator sees. */
  @Test
  void itsLinesAreInertAndFew() throws Exception {
    String evil = "\"<script>alert(1)</script><img/src=x>%d\"@" + "a.".repeat(90) + "example";
    refresh("senders", lines(900, evil::formatted));
    refresh("senders", lines(300, i -> evil.formatted(i + 5_000)));
    String held = show("senders");
    assertTrue(held.contains("<p>300 entries come, 900 go, 0 stay."), held);
    assertTrue(held.contains("&lt;script&gt;alert(1)"), held);
    assertFalse(held.contains("<script>alert"), held);
    assertFalse(held.contains("<img"), held);
    assertTrue(held.length() < 100_000, () -> held.length() + " characters");
  }
}

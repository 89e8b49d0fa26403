package io.bloomgate.it;

import static io.bloomgate.it.PageFixture.bearer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.testkit.Addition;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pages say of one refusal: to the refused sender, and to the administrator. */
class PageRefusalTest {

  @TempDir Path folder;

  @Test
  void aRefusalOfAnOwnEntryNamesNoListAndAnAllowedOneNamesItsEntry() throws Exception {
    try (PageFixture page = new PageFixture(folder)) {
      add(page, ListKind.BLOCK, "192.0.2.70");
      String blocked = PageFixture.id(page.rcpt("192.0.2.70", "mail.example", "a@mail.example"));
      String why = page.why("/why/" + blocked).body();
      assertTrue(why.contains("administrator of this mail server"), why);
      assertFalse(why.contains("ask the list"), why);

      String listed = PageFixture.id(page.rcpt("192.0.2.71", "spam.example", "a@mail.example"));
      why = page.why("/why/" + listed).body();
      assertTrue(why.contains("ask the list"), why);
      add(page, ListKind.ALLOW, "192.0.2.71");
      HttpResponse<String> found = page.get("/lookup?subject=" + listed, bearer(PageFixture.READ));
      assertEquals(200, found.statusCode());
      assertTrue(
          found.body().contains(", by the allow entry <strong>192.0.2.71</strong>"), found::body);
    }
  }

  /** What mode observe let pass is not shown as refused. */
  @Test
  void aVerdictThatModeObserveDidNotCarryOutSaysSo() throws Exception {
    try (PageFixture page = new PageFixture(folder)) {
      add(page, ListKind.BLOCK, "192.0.2.72");
      assertEquals(
          0, page.gateway().control(new ControlRequest.SetMode(Mode.OBSERVE, null)).exitCode());
      page.rcpt("192.0.2.72", "mail.example", "a@mail.example");
      HttpResponse<String> found =
          page.get("/sessions?verdict=would_reject", bearer(PageFixture.READ));
      assertTrue(found.body().contains("\"badge warn\">would reject<"), found::body);
    }
  }

  /** There is no command on a page that could be repeated. */
  @Test
  void aBlockThatNeedsForceNamesTheBoxOfTheForm() throws Exception {
    try (PageFixture page = new PageFixture(folder)) {
      String cookie =
          page.post("/login", "token=" + PageFixture.WRITE)
              .headers()
              .firstValue("Set-Cookie")
              .orElse("")
              .split(";", 2)[0];
      Matcher token =
          Pattern.compile("name=\"form\" value=\"([^\"]+)\"")
              .matcher(page.get("/", "Cookie", cookie).body());
      assertTrue(token.find());
      String add = "do=add&subject=example.com&form=" + token.group(1);
      assertEquals(303, page.post("/block", add, "Cookie", cookie).statusCode());
      String answer = page.get("/block", "Cookie", cookie).body();
      assertTrue(answer.contains("example.com is your own domain"), answer);
      assertFalse(answer.contains("repeat the command"), answer);
      assertTrue(answer.contains("tick `force` and send the form again if you mean it"), answer);
    }
  }

  private static void add(PageFixture page, ListKind list, String subject) {
    ControlRequest request = Addition.of(list, List.of(subject)).reason("a test").request();
    assertEquals(0, page.gateway().control(request).exitCode());
  }
}

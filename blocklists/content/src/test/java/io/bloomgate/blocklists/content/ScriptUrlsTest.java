package io.bloomgate.blocklists.content;

import static io.bloomgate.blocklists.content.Mails.html;
import static io.bloomgate.blocklists.content.Mails.mail;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses in scripts of attached pages: evidence that refuses no mail. */
final class ScriptUrlsTest {

  private static String attached(String page) {
    return mail("text/html; name=\"order.html\"", "7bit", page);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "location='http://bad.example.com/'",
        "window.location.href = \"https://bad.example.com/a\";",
        "location.replace('http:\\/\\/bad.example.com\\/a')",
        "// don't\nlocation='http://bad.example.com/'",
        "a(/['\"]/);location='http://bad.example.com/'",
        "a=\"<a href='http://bad.example.com/'>\"",
        "a='HTTP://BAD.example.com/ is the place'",
        "a='http://bad.example.com/",
      })
  void areEvidenceThatRefusesNoMail(String script) {
    String page = "<script type=x>" + script + "</script>";
    assertEquals(List.of("NESTED bad.example.com"), Mails.hosts(attached(page)), script);
    assertEquals(List.of(), Mails.hosts(html(page)), "mail clients run no script");
  }

  /** What is behind a script is read as before. */
  @Test
  void linksBehindAScriptStayLinks() {
    String page = "<script>a='http://one.example.com/</script><a href=//two.example.com/>x</a>";
    assertEquals(
        List.of("NESTED one.example.com", "OPEN two.example.com"), Mails.hosts(attached(page)));
    String both = "<script>a='http://one.example.com/'</script><a href=//one.example.com/>x</a>";
    assertTrue(Mails.hosts(attached(both)).contains("OPEN one.example.com"));
  }
}

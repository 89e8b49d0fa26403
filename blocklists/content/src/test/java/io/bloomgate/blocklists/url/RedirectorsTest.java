package io.bloomgate.blocklists.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.WebUrl;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Targets of redirectors, and which hosts strangers share. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RedirectorsTest {

  private static List<String> targets(String raw) {
    return Redirectors.targets(url(raw), raw).stream()
        .map(target -> target.url().toString() + (target.followed() ? "" : " nested"))
        .toList();
  }

  private static WebUrl url(String text) {
    return WebUrl.asked(text).orElseThrow(() -> new AssertionError(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '\u0000',
      value = {
        // Google, Facebook, YouTube and their like.
        "https://www.google.com/url?q=https://evil.example/a&sa=D evil.example/a",
        "https://www.google.co.uk/url?sa=t&url=https%3A%2F%2Fevil.example%2Fa%3Fb%3D1%26c%3D2&x=y"
            + " evil.example/a?b=1&c=2",
        "https://google.com.br/url?q=evil.com/a evil.com/a",
        "https://www.google.com/amp/s/evil.example/a?b evil.example/a?b",
        "https://cdn.ampproject.org/c/s/evil.example/a evil.example/a",
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fevil.example%2F%3Fa%3Db&h=AT0 "
            + "evil.example/?a=b",
        "https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fevil.example%2F evil.example/",
        "https://out.reddit.com/t3?url=https%253A%252F%252Fevil.example%252Fa evil.example/a",
        "https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9ldmlsLmV4YW1wbGUvYQ&ntb=1 evil.example/a",
        "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fevil.example%2F evil.example/",
        "https://href.li/?https://evil.example/a?b=c evil.example/a?b=c",
        "https://web.archive.org/web/2020/http://evil.example/a?b evil.example/a?b",
        "https://maps.google.com/url?q=http://evil.example/a evil.example/a",
        "https://www.google.com/search?q=evil.com&btnI=1 evil.com/",
        "https://translate.google.com/translate?sl=en&u=http%3A%2F%2Fevil.example%2Fa"
            + " evil.example/a",
        "https://evil--shop-example.translate.goog/a?_x_tr_sl=en"
            + " evil-shop.example/a?_x_tr_sl=en",
        "https://adservice.google.com/ddm/clk/1;2;3;?http://evil.example/a evil.example/a",
        "https://r.search.yahoo.com/_ylt=A/RV=2/RO=10/RU=http%3a%2f%2fevil.example%2fa/RK=2/RS=a-"
            + " evil.example/a",
        // Scanners of links.
        "https://eur03.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.example%2Fa"
            + "&data=05%7C02%7C&sdata=abc&reserved=0 evil.example/a",
        "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fevil.example%2fa&c=E,1 evil.example/a",
        "https://urldefense.proofpoint.com/v1/url?u=http://www.bouncycastle.org/&k=oIvRg1%2BdGA"
            + " www.bouncycastle.org/",
        "https://urldefense.proofpoint.com/v2/url?u=https-3A__media.mnn.com_assets_images_2016_06_"
            + "jupiter-2Dnasa.jpg.638x0-5Fq80-5Fcrop-2Dsmart.jpg&d=DwMBaQ&c=Vxt "
            + "media.mnn.com/assets/images/2016/06/jupiter-nasa.jpg.638x0_q80_crop-smart.jpg",
        "https://urldefense.proofpoint.com/v2/url?u=https-3A__www.dropbox.com_s_abc123_plans.pdf"
            + "-3Fdl-3D0&d=DwMFaQ&c=x www.dropbox.com/s/abc123/plans.pdf",
        "https://urldefense.com/v3/__https://drive.google.com/file/d/1V3I/view__;!!ABC123!xyz$ "
            + "drive.google.com/file/d/1V3I/view",
        "https://urldefense.com/v3/__https://evil.example/a*b**Cc__;Iyw_LQ!!A!x$"
            + " evil.example/a",
        // Listed hosts with any parameter, in Base64, in the path.
        "https://u1.ct.sendgrid.net/ls/click?x=1&upn=https://evil.example/a evil.example/a",
        "https://x.awstrack.me/L0/https:%2F%2Fevil.example%2Fa%3Fb/1/0100 evil.example/a?b/1/0100",
        "https://bit.ly/?link=aHR0cDovL2V2aWwuZXhhbXBsZS9h evil.example/a",
        "https://t.co/?amp=1;url=//evil.example/a evil.example/a",
      })
  void unwraps(String raw, String target) {
    assertEquals(List.of(target), targets(raw));
  }

  @Test
  void nothingIsUnwrappedElsewhere() {
    assertEquals(List.of(), targets("https://a.example/?url=https://evil.example/"));
    assertEquals(List.of(), targets("https://1.2.3.4/?url=https://evil.example/"));
    assertEquals(List.of(), targets("https://bit.ly/abc"));
    assertEquals(List.of(), targets("https://www.google.com/search?q=evil"));
    assertEquals(List.of(), targets("https://google.evil.example/url?q=https://evil.example/"));
    assertEquals(List.of(), targets("https://bit.ly/?u=aHR0c!!!"));
    assertEquals(List.of(), targets("https://urldefense.com/v3/__"));
    assertEquals(List.of(), targets("https://bit.ly/#https://evil.example/"));
  }

  @Test
  void atMostFiveDeep() {
    String url = "https://deep.example/";
    for (int i = 0; i < 7; i++) {
      url = "https://bit.ly/" + i + "?u=" + URLEncoder.encode(url, StandardCharsets.UTF_8);
    }
    List<String> targets = targets(url);
    assertEquals(Redirectors.MAX_DEPTH, targets.size());
    assertTrue(targets.getLast().startsWith("bit.ly/1?u="));
  }

  @Test
  void anyNumberOfParametersHidesNoTarget() {
    StringBuilder url = new StringBuilder("https://bit.ly/?a=b");
    for (int i = 0; i < 1_000; i++) {
      url.append("&u=http://a").append(i % 100).append(".example/");
    }
    assertEquals(100, targets(url.toString()).size(), "each once");
    String google = "https://www.google.com/url?";
    for (String junk : List.of("&".repeat(1_001), ";".repeat(1_001), "a=b&".repeat(2_000))) {
      assertEquals(List.of("evil.example/"), targets(google + junk + "q=http://evil.example/"));
    }
  }

  /** A search, or a link to share: the page shows the address and does not lead there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://www.google.com/search?q=http://evil.example/",
        "https://www.google.com/safebrowsing/report_phish/?url=http://evil.example/",
        "https://accounts.google.com/ServiceLogin?continue=http://evil.example/",
        "https://www.bing.com/search?q=http://evil.example/",
        "https://duckduckgo.com/?q=http://evil.example/",
        "https://www.facebook.com/sharer.php?u=http://evil.example/",
        "https://twitter.com/intent/tweet?url=http://evil.example/",
        "https://yandex.ru/search/?text=http://evil.example/",
        "https://www.youtube.com/results?search_query=http://evil.example/",
        "https://www.linkedin.com/search/results/?keywords=http://evil.example/",
        "https://vk.com/share.php?url=http://evil.example/",
        "https://web.archive.org/save/http://evil.example/",
        "https://www.google.com/search?q=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3D"
            + "http%253A%252F%252Fevil.example%252F",
      })
  void whatLeadsNowhereIsNested(String raw) {
    assertEquals("evil.example/ nested", targets(raw).getLast());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://protect-eu.mimecast.com/s/AbCdEfGh?domain=evil.example.com",
        "https://clicktime.symantec.com/15tSt?h=abc=&u=https://evil.example.com/",
        "https://url.avanan.click/v2/___https://evil.example.com/___.abc",
        "https://linkscan.io/scan/ux/aHR0cHM6Ly9ldmlsLmV4YW1wbGUuY29tLw==/abc",
      })
  void scannersOfLinksAreFollowed(String raw) {
    assertEquals("evil.example.com/", targets(raw).getFirst());
  }

  @ParameterizedTest
  @CsvSource({
    "github.io, true",
    "x.github.io, false",
    "blogspot.com, true",
    "co.uk, true",
    "weebly.com, true",
    "shop.weebly.com, false",
    "godaddysites.com, true",
    "www.x.godaddysites.com, false",
    "sites.google.com, true",
    "forms.gle, true",
    "dropbox.com, true",
    "uc1.dl.dropboxusercontent.com, true",
    "raw.githubusercontent.com, true",
    "bit.ly, true",
    "x.list-manage.com, true",
    "eur01.safelinks.protection.outlook.com, true",
    "evil.example, false",
    "www.evil.example, false",
    "notgithub.com, false",
    "1.2.3.4, false",
  })
  void sharedHosts(String host, boolean shared) {
    assertEquals(shared, SharedHosts.isShared(url(host).host()));
  }

  /** What SURBL, URIBL and DBL are asked about. */
  @ParameterizedTest
  @CsvSource({
    "evil.example, evil.example",
    "www.a.evil.example, evil.example",
    "a.b.co.uk, b.co.uk",
    "b.co.uk, b.co.uk",
    "x.y.github.io, y.github.io",
    "y.github.io, y.github.io",
    "a.shop.weebly.com, shop.weebly.com",
    "a.b.blogspot.com, b.blogspot.com",
    "a.b.unheard-of-tld, b.unheard-of-tld",
  })
  void registeredNames(String host, String name) {
    assertEquals(
        name, SharedHosts.registered(DomainName.parse(host).toOptional().orElseThrow()).toString());
  }
}

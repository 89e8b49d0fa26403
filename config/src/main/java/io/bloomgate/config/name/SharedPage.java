package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Gives the pages of a shared host one form: without the slash at the end, without what programs
 * add to a link that leads to the same page ({@code usp=}, {@code authuser=}, {@code utm_*=}), and
 * without the number of the reader's account ({@code /u/0/}). The host is never listed whole there,
 * so what is left must find the page. Called by {@link WebUrl} for each URL; pure, any thread.
 */
final class SharedPage {

  /** Parameters by which no page differs on the hosts of {@link NameList#HOSTERS}. */
  private static final Set<String> ADDED =
      Set.of(
          ("usp authuser hl pli ouid rtpof sd resourcekey embedded gclid dclid gbraid wbraid _ga"
                  + " _gl dl rlkey st e web embed" // Dropbox and OneDrive
                  + " fbclid msclkid mc_cid mc_eid igsh igshid si feature trk ref ref_src ref_url")
              .split(" "));

  private static final String CAMPAIGN = "utm_";

  private static final String GOOGLE = ".google.com";

  private SharedPage() {}

  /** The URL; in this form when its host is shared. */
  static WebUrl of(WebUrl url) {
    if (url.isHostOnly() || !(url.host() instanceof DomainName name)) {
      return url;
    }
    boolean isHoster = NameList.HOSTERS.contains(name);
    if (!isHoster && !NameList.REDIRECTORS.names().contains(name)) {
      return url;
    }
    String text = url.toString();
    String host = text.substring(0, url.hostEnd());
    String path = text.substring(url.hostEnd(), url.pathEnd());
    if (host.endsWith(GOOGLE)) {
      path = path.replaceFirst("/u/\\d{1,2}/", "/");
    }
    if (path.length() > 1 && path.endsWith("/")) {
      path = path.substring(0, path.length() - 1);
    }
    // Where a click counter leads may be in any parameter.
    String query = text.substring(url.pathEnd());
    query = isHoster && !query.isEmpty() ? kept(query.substring(1)) : query;
    byte[] octets = (host + path + query).getBytes(US_ASCII);
    return new WebUrl(octets, url.hostEnd(), name, true);
  }

  private static String kept(String query) {
    StringJoiner kept = new StringJoiner("&", "?", "").setEmptyValue("");
    for (String parameter : query.split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      String lower = name.toLowerCase(Locale.ROOT);
      if (!parameter.isEmpty() && !ADDED.contains(lower) && !lower.startsWith(CAMPAIGN)) {
        kept.add(parameter);
      }
    }
    return kept.toString();
  }
}

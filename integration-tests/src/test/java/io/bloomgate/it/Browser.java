package io.bloomgate.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Debian's chromium without a window, with the rules of axe-core. */
final class Browser implements AutoCloseable {

  private static final Path PROGRAM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final String AXE = "META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Skips the test where no chromium is installed. */
  static void require() {
    assumeTrue(
        Files.isExecutable(PROGRAM) && Files.isExecutable(DRIVER),
        "skipped: Debian's packages chromium and chromium-driver are not installed");
  }

  /**
   * Opens one.
   *
   * @param profile a folder that is empty
   * @param script false for a browser that runs no script of a page
   */
  static Browser open(Path profile, boolean script) {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(PROGRAM.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1280,900",
        "--user-data-dir=" + profile);
    if (!script) {
      options.setExperimentalOption(
          "prefs", Map.of("profile.managed_default_content_settings.javascript", 2));
    }
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(DRIVER.toFile())
            .withSilent(true)
            .build();
    return new Browser(new ChromeDriver(service, options));
  }

  void go(String address) {
    driver.get(address);
  }

  String title() {
    return String.valueOf(driver.getTitle());
  }

  /** What a person reads. */
  String text() {
    return driver.findElement(By.tagName("body")).getText();
  }

  int octets() {
    return String.valueOf(driver.getPageSource()).getBytes(StandardCharsets.UTF_8).length;
  }

  void type(String name, String text) {
    driver.findElement(By.name(name)).sendKeys(text);
  }

  /** Clicks the first button with these words, and waits for the page that it leads to. */
  void click(String words) {
    WebElement before = driver.findElement(By.tagName("html"));
    driver.findElement(By.xpath("//button[normalize-space()='" + words + "']")).click();
    // A page that is just going may be neither there nor stale for a moment.
    new WebDriverWait(driver, PATIENCE)
        .ignoring(WebDriverException.class)
        .until(ExpectedConditions.stalenessOf(before));
  }

  int count(String selector) {
    return driver.findElements(By.cssSelector(selector)).size();
  }

  void await(String what) {
    new WebDriverWait(driver, PATIENCE).until(_ -> text().contains(what));
  }

  /** The value of a script of the test, which the page's policy does not concern. */
  Object evaluate(String script) {
    return String.valueOf(driver.executeScript(script));
  }

  void dark(boolean on) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", on ? "dark" : "light"))));
  }

  /** The time zone of the person at the browser. */
  void zone(String name) {
    driver.executeCdpCommand("Emulation.setTimezoneOverride", Map.of("timezoneId", name));
  }

  /** A screen of this width, which may be less than a window can have; 0 for the window again. */
  void narrow(int pixels) {
    if (pixels == 0) {
      driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    } else {
      driver.executeCdpCommand(
          "Emulation.setDeviceMetricsOverride",
          Map.of("width", pixels, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    }
  }

  /** Rules of serious or critical impact that the page breaks, and where. */
  List<?> faults() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(Browser.class.getClassLoader().getResourceAsStream(AXE), AXE)) {
      driver.executeScript(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    Object faults =
        driver.executeAsyncScript(
            """
            const done = arguments[arguments.length - 1];
            axe.run().then(found => done(found.violations
                .filter(fault => ['serious', 'critical'].includes(fault.impact))
                .map(fault => fault.id + ' at ' + fault.nodes.map(n => n.html).join(' ; '))));
            """);
    return (List<?>) Objects.requireNonNull(faults);
  }

  /** A picture of the window, for people who look at the page. */
  void picture(Path file) throws IOException {
    Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
  }

  /** Of the page that is shown. */
  String path() {
    return URI.create(String.valueOf(driver.getCurrentUrl())).getPath();
  }

  @Override
  public void close() {
    driver.quit();
  }
}

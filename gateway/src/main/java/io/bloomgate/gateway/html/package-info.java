/** What makes HTML of the page and of reports: templates, and texts from outside without marks. */
@NullMarked
package io.bloomgate.gateway.html;

import org.jspecify.annotations.NullMarked;

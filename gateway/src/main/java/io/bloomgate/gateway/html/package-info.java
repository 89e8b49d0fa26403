/** Makes HTML for the page and for reports: templates, and texts from outside that are harmless. */
@NullMarked
package io.bloomgate.gateway.html;

import org.jspecify.annotations.NullMarked;

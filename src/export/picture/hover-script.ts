/**
 * Runs in the browser: finds the cell under the mouse and shows its figures. Texts are inserted as text, never as
 * markup. Works in any browser of the last ten years.
 */
export const HOVER_SCRIPT = `(function () {
  'use strict';
  var data = JSON.parse(document.getElementById('cells').textContent);
  var svg = document.querySelector('svg');
  var frame = document.getElementById('frame');
  var box = document.getElementById('hover');
  function at(edges, value) {
    for (var i = 0; i + 1 < edges.length; i++) {
      var low = Math.min(edges[i], edges[i + 1]);
      var high = Math.max(edges[i], edges[i + 1]);
      if (value >= low && value < high) return i;
    }
    return -1;
  }
  function binAt(map, y) {
    var outlierRow = map.outlierRow;
    if (outlierRow && y >= outlierRow.y && y < outlierRow.y + outlierRow.height) return map.y.length - 1;
    return at(map.y, y);
  }
  function hide() {
    frame.style.display = box.style.display = 'none';
  }
  function outline(map, column, bin) {
    var isOutlier = bin === map.y.length - 1;
    var top = isOutlier ? map.outlierRow.y : map.y[bin + 1];
    var bottom = isOutlier ? map.outlierRow.y + map.outlierRow.height : map.y[bin];
    frame.setAttribute('x', data.x[column]);
    frame.setAttribute('y', top);
    frame.setAttribute('width', data.x[column + 1] - data.x[column]);
    frame.setAttribute('height', bottom - top);
    frame.style.display = 'inline';
  }
  function show(event) {
    var rect = svg.getBoundingClientRect();
    var x = ((event.clientX - rect.left) * svg.viewBox.baseVal.width) / rect.width;
    var y = ((event.clientY - rect.top) * svg.viewBox.baseVal.height) / rect.height;
    var column = at(data.x, x);
    var map = data.maps.filter(function (one) { return binAt(one, y) >= 0; })[0];
    if (column < 0 || !map) return hide();
    var bin = binAt(map, y);
    var cell = map.cells[column].filter(function (one) { return one[0] === bin; })[0];
    var count = cell ? cell[1] : 0;
    var text = (map.title ? map.title + '\\n' : '') + data.times[column] + '\\n' + map.values[bin] + '\\n' + count + ' ' + map.units[count === 1 ? 0 : 1];
    box.textContent = cell && cell[2] ? text + ', ' + cell[2] : text;
    box.style.display = 'block';
    var isRight = event.clientX - rect.left > rect.width / 2;
    box.style.left = event.clientX - rect.left + (isRight ? -box.offsetWidth - 14 : 14) + 'px';
    box.style.top = event.clientY - rect.top + 14 + 'px';
    outline(map, column, bin);
  }
  svg.addEventListener('mousemove', show);
  svg.addEventListener('mouseleave', hide);
})();`;

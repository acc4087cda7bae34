exports.name = 'a part';
